import type { BlockerRef, Issue } from '../../../domain/issue.ts';
import { sameState } from '../../../domain/state-name.ts';
import { normaliseInstant, normaliseLabels } from '../../fields.ts';
import type { ForgeRecord } from '../record.ts';
import { priorityOf } from './priority.ts';

/** What else decides whether an issue may run. */
export interface Gate {
  readonly blockedBy: readonly BlockerRef[];
  readonly reason: string | null;
}

export const OPEN_GATE: Gate = { blockedBy: [], reason: null };

export interface NormaliseOptions {
  readonly identifierPrefix: string;
  /** When set, only issues assigned to this login may run. */
  readonly assignee: string | null;
}

export function normaliseIssue(
  record: ForgeRecord,
  state: string,
  gate: Gate,
  options: NormaliseOptions,
): Issue {
  const reason = assignmentReason(record.assignees, options.assignee) ?? gate.reason;
  const body = record.body?.trimEnd() ?? '';
  return {
    id: String(record.number),
    identifier: `${options.identifierPrefix}${record.number}`,
    title: record.title,
    description: body.trim() === '' ? null : body,
    priority: priorityOf(record.labels),
    state,
    branchName: null,
    url: record.url,
    assigneeId: record.assignees[0] ?? null,
    author: record.author,
    labels: normaliseLabels(record.labels),
    blockedBy: gate.blockedBy,
    dispatchable: reason === null,
    undispatchableReason: reason,
    createdAt: normaliseInstant(record.createdAt),
    updatedAt: normaliseInstant(record.updatedAt),
    nativeRef: record.nativeRef,
  };
}

function assignmentReason(assignees: readonly string[], wanted: string | null): string | null {
  if (wanted === null || assignees.some((login) => sameState(login, wanted))) return null;
  const others = assignees.join(', ');
  return others === '' ? `not assigned to ${wanted}` : `assigned to ${others}, not to ${wanted}`;
}

/** The number an id stands for; null when it is no id of a forge issue. */
export function numberOf(id: string): number | null {
  return /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null;
}
