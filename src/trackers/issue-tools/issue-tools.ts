import { sameState } from '../../domain/state-name.ts';
import type { TrustRules } from '../../domain/trust.ts';
import { noticeFor, shownComments, shownText } from '../../tools/outside-texts.ts';
import { defineTool, type Tool } from '../../tools/tool-kit.ts';
import { IssueCommentInput, IssueGetInput, IssueMoveInput, PrLinkInput } from './inputs.ts';
import { chooseState, type MoveRule } from './move-rule.ts';
import type { OwnIssue } from './own-issue.ts';

export interface IssueToolsOptions {
  readonly own: OwnIssue;
  readonly rule: MoveRule;
  /** Whose texts may reach an agent; null means everybody's. */
  readonly trust: TrustRules | null;
}

/** The tools every tracker has. None takes an issue: each acts on the issue of the run it was called from. */
export function issueTools({ own, rule, trust }: IssueToolsOptions): readonly Tool[] {
  return [
    getTool(own, trust),
    moveTool(own, rule),
    commentTool(own),
    ...(own.link === null ? [] : [linkTool(own.link)]),
  ];
}

function getTool(own: OwnIssue, trust: TrustRules | null): Tool {
  return defineTool(
    'issue_get',
    'Read the issue you are working on: its text, state, labels, blockers, comments, and the states it can move to.',
    IssueGetInput,
    async (_input, { issue, signal }) => {
      const { title, description, state, details, comments, availableStates } = await own.read(issue, signal);
      return {
        output: {
          identifier: issue.identifier,
          title: shownText(title, trust),
          description: shownText(description, trust),
          state,
          ...details,
          ...shownComments(comments, trust),
          available_states: availableStates,
          ...noticeFor(trust),
        },
      };
    },
  );
}

function moveTool(own: OwnIssue, rule: MoveRule): Tool {
  return defineTool(
    'issue_move',
    'Move the issue you are working on to another state, for example to hand it over for review.',
    IssueMoveInput,
    async ({ state: wanted }, { issue, signal }) => {
      const { from, to } = await own.move(
        issue,
        (present, known) => chooseState(rule, wanted, present, known),
        signal,
      );
      const output = { identifier: issue.identifier, state: to, previous_state: from };
      return sameState(from, to) ? { output } : { output, effect: { kind: 'state_changed', from, to } };
    },
  );
}

function commentTool(own: OwnIssue): Tool {
  return defineTool(
    'issue_comment',
    'Add a comment to the issue you are working on.',
    IssueCommentInput,
    async ({ body }, { issue, signal }) => ({
      output: { identifier: issue.identifier, ...(await own.comment(issue, body.trimEnd(), signal)) },
      effect: { kind: 'commented' },
    }),
  );
}

function linkTool(link: NonNullable<OwnIssue['link']>): Tool {
  return defineTool(
    'pr_link',
    'Link a pull request to the issue you are working on, so that people find it.',
    PrLinkInput,
    async (input, { issue, signal }) => {
      const linked = await link(issue, input, signal);
      return {
        output: { identifier: issue.identifier, ...linked },
        effect: { kind: 'pull_request', url: linked.url },
      };
    },
  );
}
