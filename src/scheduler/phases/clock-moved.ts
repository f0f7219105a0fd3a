import type { Draft } from '../core/draft.ts';
import type { ClockMove } from '../core/events.ts';
import type { Claim, LiveRun, RetryingClaim } from '../core/state.ts';
import { CONTINUATION_DELAY_MS, failureDelay } from '../rules/backoff.ts';
import { retryTimerKey } from './claims.ts';
import { beginTick } from './tick.ts';

/** Less is not worth a line. */
const TOLD_FROM_MS = 5_000;
/** The longest wait of a record that does not say how long it was to be. */
const MAX_UNTOLD_MS = 86_400_000;

/**
 * Times of the state are the wall clock's. When that is set they go with it, so that no duration changes; and nobody is
 * charged for a time in which the worker could not work, nor called silent. What came due meanwhile is due.
 */
export function onClockMoved(draft: Draft, move: ClockMove): void {
  tell(draft, move);
  const { jumpMs, pausedMs } = move;
  for (const [runId, run] of [...draft.live.entries()]) draft.live.set(runId, moveRun(run, move));
  for (const [issueId, claim] of [...draft.claims.entries()]) moveClaim(draft, issueId, claim, jumpMs);
  const { tick } = draft;
  draft.tick = {
    ...tick,
    startedAt: tick.startedAt + jumpMs + pausedMs,
    dueAt: tick.dueAt === null ? null : tick.dueAt + jumpMs,
    heldCheckedAt: tick.heldCheckedAt + jumpMs,
  };
  if (draft.tick.dueAt !== null && draft.tick.dueAt <= draft.now && pausedMs > 0) beginTick(draft, false);
}

function moveRun(run: LiveRun, { jumpMs, pausedMs }: ClockMove): LiveRun {
  const by = jumpMs + pausedMs;
  return {
    ...run,
    startedAt: run.startedAt + jumpMs,
    pausedMs: run.pausedMs + pausedMs,
    lastAgentEventAt: run.lastAgentEventAt === null ? null : run.lastAgentEventAt + by,
    settled: { ...run.settled, at: run.settled.at + by },
    toolCalls: { ...run.toolCalls, since: run.toolCalls.since + by },
    effects: run.effects.map(({ effect, at }) => ({ effect, at: at + by })),
  };
}

/** A wait keeps its length. One for a date, as a provider names it, only ever becomes shorter. */
function moveClaim(draft: Draft, issueId: string, claim: Claim, jumpMs: number): void {
  const retry = claim.phase === 'checking' ? claim.retry : claim;
  if (retry?.phase !== 'retrying') return;
  const by = retry.kind === 'quota_backoff' ? Math.min(0, jumpMs) : jumpMs;
  const moved: RetryingClaim = { ...retry, dueAt: retry.dueAt + by };
  draft.claims.set(issueId, claim.phase === 'checking' ? { ...claim, retry: moved } : moved);
  if (claim.phase === 'checking') return;
  // Timers do not count pauses; a wait does.
  draft.emit({ type: 'set_timer', key: retryTimerKey(issueId), at: moved.dueAt });
  if (by !== 0) draft.saveRecord({ ...draft.record(moved.issue), claim: moved });
}

/** A wait from an earlier life: the clock may have been set meanwhile, and it is never waited for longer than was meant. */
export function boundWait(claim: RetryingClaim, now: number, maxRetryBackoffMs: number): RetryingClaim {
  const delayMs = claim.delayMs ?? untoldDelay(claim, maxRetryBackoffMs);
  return { ...claim, dueAt: Math.min(claim.dueAt, now + delayMs) };
}

function untoldDelay({ kind, attempt }: RetryingClaim, maxRetryBackoffMs: number): number {
  if (kind === 'continuation') return CONTINUATION_DELAY_MS;
  return kind === 'failure' ? failureDelay(attempt, maxRetryBackoffMs) : MAX_UNTOLD_MS;
}

function tell(draft: Draft, { jumpMs, pausedMs }: ClockMove): void {
  const running = draft.live.size === 0 ? '' : '; no agent is charged for it or counted as silent';
  if (pausedMs >= TOLD_FROM_MS)
    draft.publish('clock_moved', `the machine slept or stood still for ${span(pausedMs)}${running}`);
  if (Math.abs(jumpMs) < TOLD_FROM_MS) return;
  const way = jumpMs > 0 ? 'forward' : 'back';
  draft.publish(
    'clock_moved',
    `the clock was set ${way} by ${span(Math.abs(jumpMs))}; waits and limits keep their length`,
  );
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
