import type { BlockerRef, Issue } from '../../domain/issue.ts';
import { includesState, sameState } from '../../domain/state-name.ts';
import { normaliseInstant } from '../fields.ts';
import { isNotStarted } from '../not-started.ts';
import type { Entry } from './folder/listing.ts';
import type { LocalStates } from './states.ts';

export type IssueEntry = Extract<Entry, { kind: 'issue' }>;

export interface NormaliseContext {
  readonly states: LocalStates;
  /** When set, only issues assigned to this person may run. */
  readonly assignee: string | null;
  /** Looks a blocker up by the identifier written in `blocked_by`. */
  blocker(identifier: string): Entry | null;
}

/** The port's issue. Blockers and assignment decide `dispatchable`; nothing else does. */
export function normaliseIssue(entry: IssueEntry, context: NormaliseContext): Issue {
  const { fields, description } = entry.content;
  const blockers = fields.blocked_by.map((identifier) => resolveBlocker(entry, identifier, context));
  const reason =
    assignmentReason(fields.assignee, context.assignee) ??
    (isNotStarted(fields.state, context.states.active)
      ? blockedReason(entry.id, blockers, context.states.terminal)
      : null);
  return {
    id: entry.id,
    identifier: entry.id,
    title: fields.title,
    description: description.trim() === '' ? null : trimBlankLines(description),
    priority: fields.priority,
    state: fields.state,
    branchName: fields.branch,
    url: fields.url,
    assigneeId: fields.assignee,
    author: fields.author === null ? null : { names: [fields.author], association: null },
    labels: fields.labels,
    blockedBy: blockers,
    dispatchable: reason === null,
    undispatchableReason: reason,
    createdAt: normaliseInstant(fields.created_at),
    updatedAt: normaliseInstant(fields.updated_at) ?? entry.modifiedAt,
    nativeRef: { file: `${entry.id}.md` },
  };
}

function resolveBlocker(entry: IssueEntry, identifier: string, context: NormaliseContext): BlockerRef {
  const found = identifier === entry.id ? entry : context.blocker(identifier);
  if (found === null) return { id: null, identifier, state: null };
  return {
    id: found.id,
    identifier: found.id,
    state: found.kind === 'issue' ? found.content.fields.state : null,
  };
}

function blockedReason(
  id: string,
  blockers: readonly BlockerRef[],
  terminal: readonly string[],
): string | null {
  const unfinished = blockers.filter(
    (blocker) => blocker.state === null || !includesState(terminal, blocker.state),
  );
  if (unfinished.length === 0) return null;
  return `blocked by ${unfinished.map((blocker) => describeBlocker(id, blocker)).join(', ')}`;
}

function describeBlocker(id: string, blocker: BlockerRef): string {
  if (blocker.id === null) return `${blocker.identifier} (no such issue)`;
  if (blocker.id === id) return `${blocker.identifier} (itself)`;
  return `${blocker.identifier} (${blocker.state ?? 'its file is not valid'})`;
}

function assignmentReason(assignee: string | null, wanted: string | null): string | null {
  if (wanted === null || (assignee !== null && sameState(assignee, wanted))) return null;
  return assignee === null ? `not assigned to ${wanted}` : `assigned to ${assignee}, not to ${wanted}`;
}

/** Blank lines at both ends frame the text; indentation of its first line may be code. */
function trimBlankLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}
