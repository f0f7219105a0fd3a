import type { Config } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import type { IssueId } from '../../domain/issue.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { silentLogger } from '../../observability/logger.ts';
import { explainWaiting } from '../../scheduler/explain/explain.ts';
import { lookAhead } from '../worker/once/dry-run.ts';

/** What a worker that starts now would do with one issue. */
export type Forecast =
  | { readonly kind: 'starts'; readonly place: number; readonly attempt: number | null }
  | { readonly kind: 'waits'; readonly reason: string }
  | { readonly kind: 'retries'; readonly dueAt: number }
  | { readonly kind: 'held'; readonly error: string }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unknown'; readonly why: string };

/** Lets the scheduler decide on what the tracker and the journal say, as `aiops worker --dry-run` does. */
export async function forecast(config: Config, issueId: IssueId): Promise<Forecast> {
  try {
    const { firstPoll, settings } = await lookAhead(config, silentLogger);
    const { starts, state } = firstPoll;
    const place = starts.findIndex(({ issue }) => issue.id === issueId);
    const start = starts[place];
    if (start !== undefined) return { kind: 'starts', place: place + 1, attempt: start.attempt };
    const claim = state.claims.get(issueId);
    if (claim?.phase === 'retrying') return { kind: 'retries', dueAt: claim.dueAt };
    if (claim?.phase === 'blocked') return { kind: 'held', error: claim.error };
    const waiting = explainWaiting(state, settings, systemClock.now()).find(
      ({ issue }) => issue.id === issueId,
    );
    if (waiting !== undefined) return { kind: 'waits', reason: waiting.reason };
    if (state.lastPoll?.ok === false)
      return { kind: 'unknown', why: state.lastPoll.error ?? 'the tracker could not be polled' };
    return { kind: 'ignored' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'unknown', why: messageOf(error) };
  }
}
