import type { Issue } from '../../domain/issue.ts';
import type { Draft } from '../core/draft.ts';
import type { TrackerFailure } from '../core/events.ts';
import { interruptedRun } from '../core/under-way.ts';
import { settleRun } from '../rules/spending.ts';
import { fillSlots, isSupplied } from './dispatch.ts';
import { forgetOldRecords } from './forget-records.ts';
import { inspectUnpushed } from './push.ts';
import { stopOverdueRuns } from './reconcile.ts';
import { requestRefresh } from './refresh.ts';

export const TICK_TIMER = 'tick';

/** The Go worker's name for it. */
const SUPPRESSED = 'active_candidate_after_operator_terminal_stop';

/** Finished issues with a workspace are looked at this rarely, unless somebody requested for a poll. */
const HELD_CHECK_INTERVAL_MS = 300_000;

/** Begins a poll; one that is requested for while another is under way follows it at once. */
export function beginTick(draft: Draft, requested: boolean): void {
  if (draft.draining) return;
  if (draft.tick.phase !== 'idle') {
    if (requested) draft.tick = { ...draft.tick, again: true };
    return;
  }
  for (const [, run] of [...draft.live.entries()]) settleRun(draft, run);
  stopOverdueRuns(draft);
  const checkHeld = requested || draft.now - draft.tick.heldCheckedAt >= HELD_CHECK_INTERVAL_MS;
  const ids = idsToReconcile(draft, checkHeld);
  if (checkHeld) inspectUnpushed(draft);
  if (checkHeld) forgetOldRecords(draft);
  draft.emit({ type: 'clear_timer', key: TICK_TIMER });
  draft.tick = {
    phase: 'refreshing',
    startedAt: draft.now,
    dueAt: null,
    again: false,
    heldCheckedAt: checkHeld ? draft.now : draft.tick.heldCheckedAt,
  };
  if (ids.length > 0) requestRefresh(draft, ids, { kind: 'reconcile' });
  else continueTick(draft);
}

function idsToReconcile(draft: Draft, withHeld: boolean): string[] {
  const ids = new Set<string>();
  for (const [id, claim] of draft.claims.entries()) {
    if (claim.phase !== 'checking') ids.add(id);
  }
  for (const [id] of draft.records.entries()) {
    if (!draft.claims.has(id) && interruptedRun(draft, id) !== null) ids.add(id);
  }
  if (withHeld) {
    for (const [id] of draft.held.entries()) {
      if (!draft.claims.has(id)) ids.add(id);
    }
  }
  return [...ids];
}

/** After reconciliation, whether it succeeded or not: list candidates unless a preflight check forbids dispatch. */
export function continueTick(draft: Draft): void {
  if (draft.tick.phase !== 'refreshing') return;
  const [error] = draft.settings.preflightErrors;
  if (error !== undefined) {
    draft.publish('dispatch_preflight_failed', error);
    endTick(draft, { error, candidates: draft.candidates.size, retryAfterMs: null });
    return;
  }
  if (draft.intake === 'closed') {
    endTick(draft, { error: null, candidates: draft.candidates.size, retryAfterMs: null });
    return;
  }
  const brief = isSupplied(draft);
  draft.tick = { ...draft.tick, phase: 'listing', brief };
  const { activeStates: states } = draft.settings;
  draft.emit(brief ? { type: 'list_candidates', states, brief } : { type: 'list_candidates', states });
}

export function onCandidatesListed(draft: Draft, issues: readonly Issue[]): void {
  if (draft.tick.phase !== 'listing') return;
  const candidates = new Map<string, Issue>();
  for (const issue of issues) if (!candidates.has(issue.id)) candidates.set(issue.id, issue);
  draft.candidates = candidates;
  draft.justRead = { at: 0, ids: new Set() };
  noteSuppressed(draft);
  // What a brief listing says of blockers may be old: a slot that was freed meanwhile is filled with a second look.
  fillSlots(draft, draft.tick.brief !== true);
  endTick(draft, { error: null, candidates: candidates.size, retryAfterMs: null });
}

function noteSuppressed(draft: Draft): void {
  for (const { id, state } of draft.candidates.values()) {
    const record = draft.records.get(id);
    const stop = record?.operatorStop;
    if (record === undefined || stop?.latched !== true || draft.claims.has(id)) continue;
    const firstSuppressed = stop.firstSuppressed ?? { at: draft.now, state, reason: SUPPRESSED };
    draft.saveRecord({
      ...record,
      operatorStop: { ...stop, suppressed: stop.suppressed + 1, firstSuppressed },
    });
  }
}

/** A failed listing skips dispatch for this tick and keeps the last known candidates. */
export function onCandidatesFailed(draft: Draft, failure: TrackerFailure): void {
  if (draft.tick.phase !== 'listing') return;
  draft.publish('tracker_poll_failed', failure.message);
  endTick(draft, {
    error: failure.message,
    candidates: draft.candidates.size,
    retryAfterMs: failure.retryAfterMs,
  });
}

interface TickResult {
  readonly error: string | null;
  readonly candidates: number;
  readonly retryAfterMs: number | null;
}

function endTick(draft: Draft, result: TickResult): void {
  const { tick } = draft;
  if (draft.intake === 'one_poll') draft.intake = 'closed';
  draft.lastPoll = {
    at: draft.now,
    durationMs: draft.now - tick.startedAt,
    ok: result.error === null,
    error: result.error,
    candidates: result.candidates,
    failingSince: result.error === null ? null : (draft.lastPoll?.failingSince ?? draft.now),
  };
  const wait = Math.max(tick.again ? 0 : draft.settings.pollIntervalMs, result.retryAfterMs ?? 0);
  draft.tick = { ...tick, phase: 'idle', dueAt: draft.now + wait, again: tick.again };
  draft.emit({ type: 'set_timer', key: TICK_TIMER, at: draft.now + wait });
}
