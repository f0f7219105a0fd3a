import type { NoticeKind } from '../config/config.ts';
import type { Issue } from '../domain/issue.ts';
import type { EndedRun, RuntimeEvent, RuntimeEventKind } from '../scheduler/core/commands.ts';

/** Something a person should hear about, wherever they are. */
export interface Notice {
  readonly kind: NoticeKind;
  /** Two notices with the same key are one. */
  readonly key: string;
  readonly at: string;
  readonly issueId: string;
  readonly identifier: string;
  readonly title: string;
  readonly url: string | null;
  readonly runId: string | null;
  readonly message: string;
}

const NEEDS_YOU: ReadonlySet<RuntimeEventKind> = new Set([
  'input_blocked',
  'continuation_budget_blocked',
  'budget_exceeded',
  'no_progress_blocked',
  'not_pushed_blocked',
]);

/** Null for an event that waits for nobody and delivers nothing. */
export function noticeOfEvent(event: RuntimeEvent, issue: Issue | null): Notice | null {
  const kind = event.kind === 'pushed' ? 'delivered' : NEEDS_YOU.has(event.kind) ? 'needs_you' : null;
  if (kind === null || event.issueId === null) return null;
  return {
    kind,
    key: JSON.stringify([event.kind, event.issueId, event.runId ?? event.at]),
    at: new Date(event.at).toISOString(),
    issueId: event.issueId,
    identifier: event.identifier ?? event.issueId,
    title: issue?.title ?? '',
    url: issue?.url ?? null,
    runId: event.runId,
    message: event.message,
  };
}

export function noticeOfRun(run: EndedRun): Notice | null {
  if (run.outcome.kind !== 'delivered') return null;
  return {
    kind: 'delivered',
    key: JSON.stringify(['delivered', run.issueId, run.runId]),
    at: new Date(run.endedAt).toISOString(),
    issueId: run.issueId,
    identifier: run.identifier,
    title: run.title,
    url: run.result.evidence.pullRequestUrl ?? run.url,
    runId: run.runId,
    message: run.outcome.summary,
  };
}

/** For programs. */
export function noticeJson(notice: Notice): Record<string, unknown> {
  return {
    kind: notice.kind,
    at: notice.at,
    issue_id: notice.issueId,
    issue_identifier: notice.identifier,
    title: notice.title,
    url: notice.url,
    run_id: notice.runId,
    message: notice.message,
  };
}

/** For people: one line. */
export function noticeText({ kind, identifier, title, message, url }: Notice): string {
  const what = kind === 'delivered' ? 'delivered' : 'needs you';
  const name = title === '' ? identifier : `${identifier} ${title}`;
  return `${name}: ${what}. ${message}${url === null ? '' : ` ${url}`}`;
}
