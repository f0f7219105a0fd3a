import { mentions } from '../../../domain/issue-references.ts';
import { parseRepository, sameRepository } from '../../../domain/repository.ts';
import { sameState } from '../../../domain/state-name.ts';
import type { TrustRules } from '../../../domain/trust.ts';
import { noticeFor, shownComments, shownText } from '../../../tools/outside-texts.ts';
import { defineTool, type Tool, ToolRefusal } from '../../../tools/tool-kit.ts';
import { IssueCommentInput, IssueGetInput, IssueMoveInput, PrLinkInput } from '../../issue-tools/inputs.ts';
import type { LabelStates } from '../states/label-states.ts';
import { type MoveOptions, moveIssue, ownNumber, readOwn } from './move.ts';

export interface IssueToolsOptions extends MoveOptions {
  /** Web addresses of pull requests start with one of these: `https://github.com`. Empty accepts any host. */
  readonly webOrigins: readonly string[];
  readonly trust: TrustRules | null;
}

/** The tools every tracker has. None takes an issue: each acts on the issue of the run it was called from. */
export function issueTools(options: IssueToolsOptions): readonly Tool[] {
  return [getTool(options), moveTool(options), commentTool(options), linkTool(options)];
}

function getTool({ actions, states, trust }: IssueToolsOptions): Tool {
  return defineTool(
    'issue_get',
    'Read the issue you are working on: its text, state, labels, blockers, comments, and the states it can move to.',
    IssueGetInput,
    async (_input, { issue, signal }) => {
      const record = await readOwn(actions, issue, signal);
      const comments = await actions.comments(record.number, signal);
      return {
        output: {
          identifier: issue.identifier,
          number: record.number,
          title: shownText(record.title, trust),
          description: shownText(record.body, trust),
          state: stateOf(states, record),
          open: !record.closed,
          labels: record.labels,
          assignees: record.assignees,
          blocked_by: issue.blockedBy,
          url: record.url,
          ...shownComments(
            comments.map(({ author, ...comment }) => ({
              ...comment,
              author: author?.names[0] ?? null,
              writer: author,
            })),
            trust,
          ),
          comments_total: comments.length,
          available_states: states.known(),
          ...noticeFor(trust),
        },
      };
    },
  );
}

function moveTool(options: IssueToolsOptions): Tool {
  return defineTool(
    'issue_move',
    'Move the issue you are working on to another state, for example to hand it over for review.',
    IssueMoveInput,
    async ({ state }, { issue, signal }) => {
      const { from, to, changed } = await moveIssue(options, issue, state, signal);
      const output = { identifier: issue.identifier, state: to, previous_state: from };
      return changed && !sameState(from, to)
        ? { output, effect: { kind: 'state_changed', from, to } }
        : { output };
    },
  );
}

function commentTool({ actions }: IssueToolsOptions): Tool {
  return defineTool(
    'issue_comment',
    'Add a comment to the issue you are working on.',
    IssueCommentInput,
    async ({ body }, { issue, signal }) => {
      const { url } = await actions.comment(ownNumber(issue), body.trimEnd(), signal);
      return { output: { identifier: issue.identifier, url }, effect: { kind: 'commented' } };
    },
  );
}

function linkTool(options: IssueToolsOptions): Tool {
  const { actions } = options;
  return defineTool(
    'pr_link',
    'Link a pull request of this repository to the issue you are working on, so that people find it.',
    PrLinkInput,
    async ({ url }, { issue, signal }) => {
      const number = ownNumber(issue);
      const pullRequest = await actions.pullRequest(pullRequestNumber(options, url), signal);
      if (pullRequest === null)
        throw new ToolRefusal('pull_request_not_found', `There is no pull request at ${url}.`);
      const text = `${pullRequest.title}\n\n${pullRequest.body}`;
      const isLinked = mentions(text, actions.repository, number);
      if (!isLinked) await linkByComment(options, number, pullRequest.number, signal);
      const address = pullRequest.url ?? url;
      return {
        output: { identifier: issue.identifier, pull_request: pullRequest.number, url: address },
        effect: { kind: 'pull_request', url: address },
      };
    },
  );
}

/** Both forges show a reference on both sides; one comment is enough. */
async function linkByComment(
  { actions }: IssueToolsOptions,
  number: number,
  pullRequest: number,
  signal: AbortSignal,
): Promise<void> {
  const body = `Pull request: #${pullRequest}`;
  const comments = await actions.comments(number, signal);
  if (comments.some((comment) => comment.body.trim() === body)) return;
  await actions.comment(number, body, signal);
}

function pullRequestNumber({ actions, webOrigins }: IssueToolsOptions, address: string): number {
  const url = URL.canParse(address) ? new URL(address) : null;
  const match = /^(?<base>.*)\/(?<repo>[^/]+\/[^/]+)\/pulls?\/(?<number>[1-9]\d{0,9})\/?$/.exec(
    url?.pathname ?? '',
  );
  const repository = parseRepository(match?.groups?.['repo']);
  const known = webOrigins.length === 0 || (url !== null && webOrigins.includes(url.origin));
  if (repository === null || !known || !sameRepository(repository, actions.repository)) {
    const { owner, name } = actions.repository;
    throw new ToolRefusal(
      'not_allowed',
      `${JSON.stringify(address)} is not the address of a pull request of ${owner}/${name}.`,
    );
  }
  return Number(match?.groups?.['number']);
}

function stateOf(
  states: LabelStates,
  record: { readonly closed: boolean; readonly labels: readonly string[] },
): string {
  return states.read(record).state ?? 'open';
}
