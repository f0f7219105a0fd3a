import type { Issue } from '../../../domain/issue.ts';
import { mentions } from '../../../domain/issue-references.ts';
import { parseRepository, sameRepository } from '../../../domain/repository.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import type { Link, Linked, OwnIssue } from '../../issue-tools/own-issue.ts';
import { type MoveOptions, moveIssue, ownNumber, readOwn } from './move.ts';

export interface ForgeIssueOptions extends MoveOptions {
  /** Web addresses of pull requests start with one of these: `https://github.com`. Empty accepts any host. */
  readonly webOrigins: readonly string[];
}

/** The run's own issue in the repository. */
export function ownForgeIssue(options: ForgeIssueOptions): OwnIssue {
  const { actions, states } = options;
  return {
    async read(issue, signal) {
      const record = await readOwn(actions, issue, signal);
      const comments = await actions.comments(record.number, signal);
      return {
        title: record.title,
        description: record.body,
        state: states.read(record).state ?? 'open',
        details: {
          number: record.number,
          open: !record.closed,
          labels: record.labels,
          assignees: record.assignees,
          blocked_by: issue.blockedBy,
          url: record.url,
          comments_total: comments.length,
        },
        comments: comments.map(({ author, ...comment }) => ({
          ...comment,
          author: author?.names[0] ?? null,
          writer: author,
        })),
        availableStates: states.known(),
      };
    },
    move: (issue, choose, signal) => moveIssue(options, issue, choose, signal),
    comment: (issue, body, signal) => actions.comment(ownNumber(issue), body, signal),
    link: (issue, link, signal) => linkPullRequest(options, issue, link, signal),
  };
}

/** Both forges show a reference on both sides: one in the pull request, or one comment, is enough. */
async function linkPullRequest(
  options: ForgeIssueOptions,
  issue: Issue,
  { url }: Link,
  signal: AbortSignal,
): Promise<Linked> {
  const { actions } = options;
  const number = ownNumber(issue);
  const pull = await actions.pullRequest(pullRequestNumber(options, url), signal);
  if (pull === null) throw new ToolRefusal('pull_request_not_found', `There is no pull request at ${url}.`);
  if (!mentions(`${pull.title}\n\n${pull.body}`, actions.repository, number)) {
    const body = `Pull request: #${pull.number}`;
    const comments = await actions.comments(number, signal);
    if (!comments.some((comment) => comment.body.trim() === body))
      await actions.comment(number, body, signal);
  }
  return { pull_request: pull.number, url: pull.url ?? url };
}

function pullRequestNumber({ actions, webOrigins }: ForgeIssueOptions, address: string): number {
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
