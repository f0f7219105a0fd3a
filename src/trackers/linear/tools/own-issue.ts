import { isRecord } from '../../../domain/is-record.ts';
import type { Issue } from '../../../domain/issue.ts';
import { sameState } from '../../../domain/state-name.ts';
import type { TrustRules } from '../../../domain/trust.ts';
import { AppError } from '../../../errors/app-error.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import type { IssueView, OwnIssue } from '../../issue-tools/own-issue.ts';
import { graphqlError, type LinearClient } from '../client.ts';
import { CREATE_COMMENT, LINK_URL, MOVE_ISSUE, OWN_ISSUE, OWN_STATE } from '../documents.ts';
import { IssueNode, LabelNode, OwnIssueExtras, OwnState, RelationNode } from '../schema.ts';

export interface OwnIssueOptions {
  readonly client: LinearClient;
  readonly projectSlug: string;
  readonly trust: TrustRules | null;
}

/** The run's own issue in Linear. */
export function ownLinearIssue({ client, projectSlug, trust }: OwnIssueOptions): OwnIssue {
  return {
    async read(issue, signal) {
      const found = await readOwn(client, OWN_ISSUE, issue, signal);
      const node = IssueNode.safeParse(found);
      const extras = OwnIssueExtras.safeParse(found);
      if (!node.success || !extras.success) throw notAnIssue(issue);
      return viewOf(node.data, extras.data, trust);
    },
    async move(issue, choose, signal) {
      const own = await readOwnState(client, issue, signal);
      const { nodes: states } = own.team.states;
      const from = own.state.name;
      const to = choose(
        { state: from },
        states.map(({ name }) => name),
      );
      if (!sameState(from, to)) {
        assertInProject(own, projectSlug);
        const stateId = states.find(({ name }) => name === to)?.id;
        await mutate(client, MOVE_ISSUE, { id: issue.id, stateId }, signal);
      }
      return { from, to };
    },
    async comment(issue, body, signal) {
      await readOwnState(client, issue, signal);
      await mutate(client, CREATE_COMMENT, { issueId: issue.id, body }, signal);
      return { commented: true };
    },
    async link(issue, { url, title = url }, signal) {
      await readOwnState(client, issue, signal);
      await mutate(client, LINK_URL, { issueId: issue.id, url, title }, signal);
      return { url };
    },
  };
}

/** What an agent must know before it changes its issue. */
export async function readOwnState(
  client: LinearClient,
  issue: Issue,
  signal: AbortSignal,
): Promise<OwnState> {
  const own = OwnState.safeParse(await readOwn(client, OWN_STATE, issue, signal));
  if (own.success && own.data.id === issue.id) return own.data;
  throw notAnIssue(issue);
}

/** Throws when the issue was deleted or taken out of the worker's project: it cannot be changed at all. */
export function assertInProject(own: OwnState, projectSlug: string): void {
  if (own.trashed === true)
    throw new ToolRefusal('issue_closed', 'The issue was deleted. Stop working on it.');
  if (own.project?.slugId !== projectSlug)
    throw new ToolRefusal('out_of_scope', 'The issue was moved to another project. Stop working on it.');
}

/** Sends one of the mutations of this worker, which has a single root field. */
export async function mutate(
  client: LinearClient,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<void> {
  const data = await client.query({ document, variables, purpose: 'tool', signal, idempotent: false });
  const [payload] = Object.values(data);
  if (isRecord(payload) && payload['success'] === true) return;
  throw new AppError(
    'tracker_response',
    'Linear did not confirm the change; look at the issue before trying again.',
  );
}

async function readOwn(
  client: LinearClient,
  document: string,
  issue: Issue,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const variables = { id: issue.id };
  const { data, errors } = await client.send({ document, variables, purpose: 'tool', signal });
  const found = data?.['issue'];
  if (isRecord(found)) return found;
  const [error] = errors;
  if (error !== undefined && !/not found/i.test(error.message)) throw graphqlError(error);
  throw new ToolRefusal('issue_not_found', `${issue.identifier} is no longer in Linear. Stop working on it.`);
}

function notAnIssue({ identifier }: Issue): AppError {
  return new AppError('tracker_response', `Linear's answer about ${identifier} is not an issue.`);
}

function viewOf(
  node: IssueNode,
  extras: ReturnType<typeof OwnIssueExtras.parse>,
  trust: TrustRules | null,
): IssueView {
  const comments = extras.comments.nodes.map(({ user, botActor, createdAt: at, body }) => ({
    author: user?.displayName ?? botActor?.name ?? null,
    writer: { names: user === null ? [botActor?.id ?? ''] : [user.email, user.id], association: null },
    isOwn: user?.isMe === true,
    at,
    body,
  }));
  return {
    title: node.title,
    description: node.description ?? '',
    state: node.state.name,
    details: {
      // The issue may have moved to another team since its run began.
      identifier: node.identifier,
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
      // A title of a link is a text of somebody nobody vouches for.
      links: trust === null ? extras.attachments.nodes : extras.attachments.nodes.map(({ url }) => ({ url })),
    },
    comments: comments.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '')),
    availableStates: extras.team.states.nodes.map((state) => state.name),
  };
}
