import {
  hasEditsOnly,
  hasUnpushedCommits,
  type Outcome,
  type RunEnd,
  type RunResult,
  type StopReason,
} from '../../domain/run-outcome.ts';
import { sameState } from '../../domain/state-name.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { LiveRun } from '../core/state.ts';
import { standingOf } from './eligibility.ts';
import { type HandOver, handOverOf } from './hand-over.ts';

/** When the agent itself moved the issue to the state it is in now, through a tool; null when it did not. */
export function handedOffAt(run: LiveRun): number | null {
  const last = run.effects.findLast(({ effect }) => effect.kind === 'state_changed');
  if (last?.effect.kind !== 'state_changed' || !sameState(last.effect.to, run.issue.state)) return null;
  return last.at;
}

/** When the agent itself gave the issue out of its hands, through a tool, whoever moved it since; null when it did not. */
export function handedOverAt(run: LiveRun): number | null {
  if (run.handOver?.byTool !== true) return handedOffAt(run);
  return run.effects.findLast(({ effect }) => effect.kind === 'state_changed')?.at ?? null;
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
  if (hadEnded(run, result)) return endedOutcome(run, result.end, result, settings);
  const stop = run.stopping ?? (result.end.kind === 'stopped' ? result.end.reason : null);
  if (stop !== null) return stoppedOutcome(run, stop, result, settings);
  return endedOutcome(run, result.end, result, settings);
}

/**
 * True when the run was over before it was told to stop: only what follows every run, such as `after_run`, was still under
 * way. What a person or the tracker stopped while the issue was still to be worked on counts as stopped all the same.
 */
function hadEnded(run: LiveRun, { end }: RunResult): boolean {
  if (run.stopping === null || end.kind === 'stopped') return false;
  return run.handOver !== null || run.stopping.kind === 'shutdown';
}

/** What was handed over before the stop stays handed over: the stop only ended a run that had done its work. */
function stoppedOutcome(
  run: LiveRun,
  stop: StopReason,
  result: RunResult,
  settings: SchedulerSettings,
): Outcome {
  const over = handOverOf(run, settings);
  switch (stop.kind) {
    case 'terminal':
    case 'inactive':
      return over === null
        ? { kind: 'canceled', summary: `the issue moved to ${stop.state}` }
        : handOverOutcome(over, stop.state, result);
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
      return over === null
        ? { kind: 'canceled', summary: 'the worker shut down' }
        : handOverOutcome(over, run.issue.state, result);
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
      const over = handOverOf(run, settings);
      if (over !== null) return handOverOutcome(over, run.issue.state, result);
      if (standingOf(run.issue.state, settings) !== 'active') return reachedOutcome(run.issue.state, result);
      return madeProgress(run, result)
        ? { kind: 'progressed', summary: `still ${run.issue.state}${commitsText(result)}` }
        : { kind: 'no_progress', summary: `still ${run.issue.state}, nothing new` };
    }
  }
}

/** Delivered is what others can see. A person who moves the issue on decides what becomes of the rest. */
function handOverOutcome(over: HandOver, state: string, result: RunResult): Outcome {
  const unpushed = hasUnpushedCommits(result.evidence);
  if (unpushed && over.movedOn)
    return { kind: 'canceled', summary: `the issue moved to ${state}${commitsText(result)}` };
  const by = over.byTool ? 'handed over in' : 'the issue reached';
  return { kind: unpushed ? 'blocked' : 'delivered', summary: `${by} ${over.state}${commitsText(result)}` };
}

/** Closed by somebody else while the agent worked. */
function reachedOutcome(state: string, result: RunResult): Outcome {
  const kind = hasUnpushedCommits(result.evidence) ? 'canceled' : 'delivered';
  return { kind, summary: `the issue reached ${state}${commitsText(result)}` };
}

function commitsText({ evidence }: RunResult): string {
  const { commitsAhead, pushed, uncommittedFiles } = evidence;
  if (hasEditsOnly(evidence)) return ` with ${plural(uncommittedFiles ?? 0, 'changed file')}, not committed`;
  if (commitsAhead === null || commitsAhead === 0) return '';
  const where = pushed === true ? ', pushed' : pushed === false ? ', not pushed' : '';
  return ` with ${plural(commitsAhead, 'commit')}${where}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
