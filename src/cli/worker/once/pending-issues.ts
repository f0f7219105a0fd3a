import type { BlockedClaim, RetryingClaim } from '../../../scheduler/core/state.ts';
import type { WaitingIssue } from '../../../scheduler/explain/explain.ts';
import { formatDuration, oneLine } from '../../history/text.ts';
import { formatTable } from '../../terminal/format-table.ts';
import type { Look } from '../../terminal/look.ts';

/** The issues nobody works on for now. */
export interface PendingIssues {
  readonly retrying: readonly RetryingClaim[];
  readonly blocked: readonly BlockedClaim[];
  readonly waiting: readonly WaitingIssue[];
}

/** One line for each, or nothing at all. */
export function formatPending(
  { retrying, blocked, waiting }: PendingIssues,
  now: number,
  look: Look,
): string {
  const rows = [
    ...retrying.map(({ issue, kind, attempt, dueAt, error }) => [
      issue.identifier,
      `${kind.replaceAll('_', ' ')} run ${dueIn(dueAt - now)} (attempt ${attempt})${error === null ? '' : `: ${error}`}`,
    ]),
    ...blocked.map(({ issue, method, error }) => [issue.identifier, `blocked (${method}): ${error}`]),
    ...waiting.map(({ issue, reason }) => [issue.identifier, reason]),
  ];
  return rows.length === 0 ? '' : `Not now:\n${indented(rows, look)}`;
}

export function indented(rows: readonly (readonly string[])[], look: Look): string {
  return formatTable(
    rows.map((row) => ['', ...row.map((cell) => oneLine(cell, 160))]),
    look,
  );
}

export function pendingToJson({ retrying, blocked, waiting }: PendingIssues): Record<string, unknown> {
  return {
    retrying: retrying.map(({ issue, kind, attempt, dueAt, error }) => ({
      issue_id: issue.id,
      issue_identifier: issue.identifier,
      kind,
      attempt,
      due_at: new Date(dueAt).toISOString(),
      error,
    })),
    blocked: blocked.map(({ issue, method, error, question }) => ({
      issue_id: issue.id,
      issue_identifier: issue.identifier,
      method,
      error,
      question,
    })),
    waiting: waiting.map(({ issue, reason }) => ({
      issue_id: issue.id,
      issue_identifier: issue.identifier,
      reason,
    })),
  };
}

function dueIn(ms: number): string {
  return ms <= 0 ? 'due now' : `in ${formatDuration(ms)}`;
}
