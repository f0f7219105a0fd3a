import type { Author, BlockerRef, Issue } from '../../domain/issue.ts';
import { includesState, normaliseState } from '../../domain/state-name.ts';
import { normaliseInstant, normaliseLabels, normalisePriority } from '../fields.ts';
import type { IssueNode, RelationNode } from './schema.ts';

export interface NormaliseContext {
  readonly terminalStates: readonly string[];
  /** A user id, an email address, a display name, or `me`; null for anybody. */
  readonly assignee: string | null;
}

/** An issue with all its labels and blockers, whatever page they were on. */
export interface WholeIssue {
  readonly node: IssueNode;
  readonly labels: readonly string[];
  readonly relations: readonly RelationNode[];
}

const NOT_STARTED_TYPES = ['triage', 'backlog', 'unstarted'];
const FINISHED_TYPES = ['completed', 'canceled', 'duplicate'];

/** The port's issue. Assignment and blockers decide `dispatchable`; nothing else does. */
export function normaliseIssue({ node, labels, relations }: WholeIssue, context: NormaliseContext): Issue {
  const blockers = relations.filter((relation) => relation.type === 'blocks');
  const reason =
    assignmentReason(node.assignee, context.assignee) ??
    (isNotStarted(node.state) ? blockedReason(blockers, context.terminalStates) : null);
  return {
    id: node.id,
    identifier: node.identifier,
    title: node.title,
    description: node.description === null || node.description.trim() === '' ? null : node.description,
    priority: node.priority === 0 ? null : normalisePriority(node.priority),
    state: node.state.name,
    branchName: node.branchName === '' ? null : node.branchName,
    url: node.url === '' ? null : node.url,
    assigneeId: node.assignee?.id ?? null,
    author: authorOf(node),
    labels: normaliseLabels(labels),
    blockedBy: blockers.map(toBlockerRef),
    dispatchable: reason === null,
    undispatchableReason: reason,
    createdAt: normaliseInstant(node.createdAt),
    updatedAt: normaliseInstant(node.updatedAt),
    nativeRef: {
      team_id: node.team?.id ?? null,
      team_key: node.team?.key ?? null,
      project_id: node.project?.id ?? null,
    },
  };
}

/** What came in by mail, chat or a help desk was written by somebody else than the account it is filed under. */
function authorOf({ creator, integrationSourceType }: IssueNode): Author | null {
  if (creator === null || integrationSourceType !== null) return null;
  return { names: [creator.email, creator.id], association: null };
}

/** Linear says itself what kind of state it is; only an answer without that is judged by its name. */
export function isNotStarted(state: { readonly name: string; readonly type: string }): boolean {
  return state.type === '' ? normaliseState(state.name) === 'todo' : NOT_STARTED_TYPES.includes(state.type);
}

function toBlockerRef({ issue }: RelationNode): BlockerRef {
  if (issue === null) return { id: null, identifier: null, state: null };
  return { id: issue.id, identifier: issue.identifier, state: issue.state?.name ?? null };
}

/** Another team may call its final states otherwise, so their kind counts as well as the configured names. */
function blockedReason(blockers: readonly RelationNode[], terminal: readonly string[]): string | null {
  const unfinished = blockers.filter(({ issue }) => {
    const state = issue?.state ?? null;
    return state === null || !(includesState(terminal, state.name) || FINISHED_TYPES.includes(state.type));
  });
  if (unfinished.length === 0) return null;
  return `blocked by ${unfinished.map(describeBlocker).join(', ')}`;
}

function describeBlocker({ issue }: RelationNode): string {
  if (issue === null) return 'an issue that cannot be read';
  return `${issue.identifier} (${issue.state?.name ?? 'its state cannot be read'})`;
}

function assignmentReason(assignee: IssueNode['assignee'], wanted: string | null): string | null {
  if (wanted === null) return null;
  if (assignee === null) return `not assigned to ${wanted}`;
  const isWanted =
    normaliseState(wanted) === 'me'
      ? assignee.isMe
      : [assignee.id, assignee.email, assignee.displayName].some(
          (name) => name !== null && normaliseState(name) === normaliseState(wanted),
        );
  return isWanted ? null : `assigned to ${assignee.displayName ?? assignee.id}, not to ${wanted}`;
}
