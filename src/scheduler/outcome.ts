import type { Outcome, RunEnd, RunResult, StopReason } from '../domain/run-outcome.ts';
import { sameState } from '../domain/state-name.ts';
import { standingOf } from './eligibility.ts';
import type { SchedulerSettings } from './settings.ts';
import type { LiveRun } from './state.ts';

/** When the agent itself moved the issue to the state it is in now, through a tool; null when it did not. */
export function handedOffAt(run: LiveRun): number | null {
  const last = run.effects.findLast(({ effect }) => effect.kind === 'state_changed');
  if (last?.effect.kind !== 'state_changed' || !sameState(last.effect.to, run.issue.state)) return null;
  return last.at;
}

/** True when a run left something that was not there before: a commit, a tracker change, a pull request, a file. */
export function madeProgress(run: LiveRun, result: RunResult): boolean {
  const { evidence } = result;
  return (
    (evidence.newCommits ?? 0) > 0 ||
    evidence.pullRequestUrl !== null ||
    run.effects.some(({ effect }) => effect.kind !== 'commented') ||
    !sameState(run.stateAtStart, run.issue.state) ||
    (evidence.newCommits === null && (evidence.uncommittedFiles ?? 0) > 0)
  );
}

/** The one outcome of a run, from how it ended, where its issue stands and what it left behind. */
export function classifyOutcome(run: LiveRun, result: RunResult, settings: SchedulerSettings): Outcome {
  const stop = run.stopping ?? (result.end.kind === 'stopped' ? result.end.reason : null);
  if (stop !== null) return stoppedOutcome(run, stop, result);
  return endedOutcome(run, result.end, result, settings);
}

function stoppedOutcome(run: LiveRun, stop: StopReason, result: RunResult): Outcome {
  switch (stop.kind) {
    case 'terminal':
    case 'inactive':
      return handedOffAt(run) !== null
        ? { kind: 'delivered', summary: `handed over in ${stop.state}${commitsText(result)}` }
        : { kind: 'canceled', summary: `the issue moved to ${stop.state}` };
    case 'unroutable':
      return { kind: 'canceled', summary: stop.detail };
    case 'missing':
      return { kind: 'canceled', summary: 'the issue is no longer in the tracker' };
    case 'stalled':
      return { kind: 'stalled', summary: `the agent was silent for ${Math.round(stop.silentMs / 1000)} s` };
    case 'budget':
      return { kind: 'blocked', summary: stop.detail };
    case 'operator':
      return { kind: 'canceled', summary: `stopped by ${stop.by}` };
    case 'shutdown':
      return { kind: 'canceled', summary: 'the worker shut down' };
  }
}

function endedOutcome(run: LiveRun, end: RunEnd, result: RunResult, settings: SchedulerSettings): Outcome {
  switch (end.kind) {
    case 'input_required':
      return { kind: 'blocked', summary: `the agent asks: ${end.question}` };
    case 'quota':
      return { kind: 'blocked', summary: end.message };
    case 'timed_out':
      return { kind: 'timed_out', summary: end.message };
    case 'failed':
      return { kind: 'failed', summary: end.message };
    case 'stopped':
    case 'completed': {
      if (run.decision?.kind === 'finish' && run.decision.why === 'missing') {
        return { kind: 'canceled', summary: 'the issue is no longer in the tracker' };
      }
      if (standingOf(run.issue.state, settings) !== 'active') {
        const by = handedOffAt(run) !== null ? 'handed over in' : 'the issue reached';
        return { kind: 'delivered', summary: `${by} ${run.issue.state}${commitsText(result)}` };
      }
      return madeProgress(run, result)
        ? { kind: 'progressed', summary: `still ${run.issue.state}${commitsText(result)}` }
        : { kind: 'no_progress', summary: `still ${run.issue.state}, nothing new` };
    }
  }
}

function commitsText(result: RunResult): string {
  const { commitsAhead, pushed } = result.evidence;
  if (commitsAhead === null || commitsAhead === 0) return '';
  const where = pushed === true ? ', pushed' : pushed === false ? ', not pushed' : '';
  return ` with ${commitsAhead} commit${commitsAhead === 1 ? '' : 's'}${where}`;
}
