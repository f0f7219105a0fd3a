import type { TrustRules } from '../../../domain/trust.ts';
import { AppError } from '../../../errors/app-error.ts';
import { noticeFor, shownComments, shownText } from '../../../tools/outside-texts.ts';
import { defineTool, type Tool } from '../../../tools/tool-kit.ts';
import { IssueCommentInput, IssueGetInput, IssueMoveInput, PrLinkInput } from '../../issue-tools/inputs.ts';
import type { LinearClient } from '../client.ts';
import { CREATE_COMMENT, LINK_URL, OWN_ISSUE } from '../documents.ts';
import { IssueNode, LabelNode, OwnIssueExtras, RelationNode } from '../schema.ts';
import { assertSucceeded, type OwnIssueDesk } from './own-issue.ts';

/** The tools every tracker has. None takes an issue: each acts on the issue of the run it was called from. */
export function createIssueTools(
  client: LinearClient,
  desk: OwnIssueDesk,
  trust: TrustRules | null,
): readonly Tool[] {
  return [getTool(desk, trust), moveTool(desk), commentTool(client, desk), linkTool(client, desk)];
}

function getTool(desk: OwnIssueDesk, trust: TrustRules | null): Tool {
  return defineTool(
    'issue_get',
    'Read the issue you are working on: its text, state, labels, blockers, comments, links, and the states it can move to.',
    IssueGetInput,
    async (_input, { issue, signal }) => {
      const found = await desk.read(OWN_ISSUE, issue, signal);
      const node = IssueNode.safeParse(found);
      const extras = OwnIssueExtras.safeParse(found);
      if (!node.success || !extras.success)
        throw new AppError('tracker_response', `Linear's answer about ${issue.identifier} is not an issue.`);
      return { output: describeIssue(node.data, extras.data, trust) };
    },
  );
}

function describeIssue(
  node: IssueNode,
  extras: ReturnType<typeof OwnIssueExtras.parse>,
  trust: TrustRules | null,
): unknown {
  const comments = extras.comments.nodes.map(({ user, botActor, createdAt: at, body }) => ({
    author: user?.displayName ?? botActor?.name ?? null,
    writer: { names: user === null ? [botActor?.id ?? ''] : [user.email, user.id], association: null },
    isOwn: user?.isMe === true,
    at,
    body,
  }));
  return {
    identifier: node.identifier,
    title: shownText(node.title, trust),
    description: shownText(node.description ?? '', trust),
    state: node.state.name,
    priority: node.priority,
    labels: node.labels.nodes.flatMap((entry) => LabelNode.safeParse(entry).data?.name ?? []),
    url: node.url,
    branch: node.branchName,
    assignee: node.assignee?.displayName ?? null,
    blocked_by: node.inverseRelations.nodes.flatMap((entry) => {
      const relation = RelationNode.safeParse(entry).data;
      if (relation?.type !== 'blocks' || relation.issue === null) return [];
      return [{ identifier: relation.issue.identifier, state: relation.issue.state?.name ?? null }];
    }),
    ...shownComments(
      comments.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '')),
      trust,
    ),
    // A title of a link is a text of somebody nobody vouches for.
    links: trust === null ? extras.attachments.nodes : extras.attachments.nodes.map(({ url }) => ({ url })),
    available_states: extras.team.states.nodes.map((state) => state.name),
    ...noticeFor(trust),
  };
}

function moveTool(desk: OwnIssueDesk): Tool {
  return defineTool(
    'issue_move',
    'Move the issue you are working on to another state, for example to hand it over for review.',
    IssueMoveInput,
    async (input, { issue, signal }) => {
      const { from, to } = await desk.move(issue, input.state, signal);
      const output = { identifier: issue.identifier, state: to, previous_state: from };
      return from === to ? { output } : { output, effect: { kind: 'state_changed', from, to } };
    },
  );
}

function commentTool(client: LinearClient, desk: OwnIssueDesk): Tool {
  return defineTool(
    'issue_comment',
    'Add a comment to the issue you are working on.',
    IssueCommentInput,
    async (input, { issue, signal }) => {
      await desk.readState(issue, signal);
      const data = await client.query({
        document: CREATE_COMMENT,
        variables: { issueId: issue.id, body: input.body.trimEnd() },
        purpose: 'tool',
        signal,
        idempotent: false,
      });
      assertSucceeded(data['commentCreate']);
      return { output: { identifier: issue.identifier, commented: true }, effect: { kind: 'commented' } };
    },
  );
}

function linkTool(client: LinearClient, desk: OwnIssueDesk): Tool {
  return defineTool(
    'pr_link',
    'Link a pull request to the issue you are working on.',
    PrLinkInput,
    async ({ url, title }, { issue, signal }) => {
      await desk.readState(issue, signal);
      const data = await client.query({
        document: LINK_URL,
        variables: { issueId: issue.id, url, title: title ?? url },
        purpose: 'tool',
        signal,
        idempotent: false,
      });
      assertSucceeded(data['attachmentLinkURL']);
      return { output: { identifier: issue.identifier, url }, effect: { kind: 'pull_request', url } };
    },
  );
}
