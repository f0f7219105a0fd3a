import type { OutcomeKind } from '../../../domain/run-outcome.ts';
import { EXIT } from '../../../errors/exit-codes.ts';
import type { Orchestrator } from '../../../orchestrator/orchestrator.ts';
import type { EndedRun } from '../../../scheduler/core/commands.ts';
import type { BlockedClaim, LastPoll, RetryingClaim } from '../../../scheduler/core/state.ts';
import { explainWaiting, type WaitingIssue } from '../../../scheduler/explain/explain.ts';
import { isOnePollOver } from '../../../scheduler/explain/one-poll.ts';
import { NOT_PUSHED } from '../../../scheduler/phases/not-pushed.ts';

/** What `aiops worker --once` did, and what it leaves for the next worker. */
export interface OnceReport {
  /** Null when the worker was stopped before its poll was over. */
  readonly poll: LastPoll | null;
  /** In the order they ended. */
  readonly runs: readonly EndedRun[];
  readonly retrying: readonly RetryingClaim[];
  readonly blocked: readonly BlockedClaim[];
  readonly waiting: readonly WaitingIssue[];
}

/** Follows a worker that was started for one poll. */
export interface OnceWatch {
  /** Resolves when everything that poll began has ended. */
  readonly over: Promise<void>;
  /** How it stands now. */
  report(now: number): OnceReport;
}

/** To be called before the worker starts. */
export function watchOnce(orchestrator: Orchestrator): OnceWatch {
  let poll: LastPoll | null = null;
  const over = new Promise<void>((resolve) => {
    const forget = orchestrator.observe(() => {
      const { state } = orchestrator;
      if (state.intake === 'closed') poll ??= state.lastPoll;
      if (!isOnePollOver(state)) return;
      forget();
      resolve();
    });
  });
  return {
    over,
    report(now) {
      const { state, history, workflow } = orchestrator;
      const claims = [...state.claims.values()];
      return {
        poll,
        runs: history.runs.slice(0, history.runCount).toReversed(),
        retrying: claims.filter((claim) => claim.phase === 'retrying'),
        blocked: claims.filter((claim) => claim.phase === 'blocked'),
        waiting: explainWaiting(state, workflow.settings, now),
      };
    },
  };
}

/** A run with one of these outcomes makes the whole report a failure. */
const FAILURES: ReadonlySet<OutcomeKind> = new Set(['failed', 'timed_out', 'stalled']);

/** Work that was handed over where nobody can see it is a failure too, whatever the run itself says. */
export function exitCodeOf({ poll, runs, blocked }: OnceReport): number {
  if (poll?.ok === false) return EXIT.pollFailed;
  const ended = new Set(runs.map(({ runId }) => runId));
  const failed =
    runs.some(({ outcome }) => FAILURES.has(outcome.kind)) ||
    blocked.some(({ method, runId }) => method === NOT_PUSHED && runId !== null && ended.has(runId));
  return failed ? EXIT.runFailed : EXIT.ok;
}
