import type { Draft } from './draft.ts';
import type { LiveRun, RunFacts, RunUnderWay } from './state.ts';

export function factsOf(run: LiveRun): RunFacts {
  const { issue, agent } = run;
  return {
    runId: run.runId,
    title: issue.title,
    url: issue.url,
    attempt: run.attempt,
    startedAt: run.startedAt,
    pausedMs: run.pausedMs,
    stateBefore: run.stateAtStart,
    usage: run.usage,
    costUsd: run.costUsd,
    sessionId: run.sessionId,
    model: run.model,
    runner: agent.runner,
    profile: agent.profile,
    workspacePath: run.workspacePath,
  };
}

/** What is written down of a live run, so that a worker that is killed leaves no run without an end. */
export function underWayOf(run: LiveRun, now: number): RunUnderWay {
  // A spread here costs half of a tick with 500 runs.
  return Object.assign(factsOf(run), { seenAt: now, turns: run.turnsCompleted, handOver: run.handOver });
}

/** Written down at once: nobody can find out later that it was the agent. */
export function rememberHandOver(draft: Draft, before: LiveRun, run: LiveRun): void {
  if (run.handOver === before.handOver) return;
  draft.saveRecord({ ...draft.record(run.issue), underWay: underWayOf(run, draft.now) });
}

/** The run that an earlier life of the worker left without an end, or null. */
export function interruptedRun(draft: Draft, issueId: string): RunUnderWay | null {
  const run = draft.records.get(issueId)?.underWay ?? null;
  return run === null || draft.live.has(run.runId) ? null : run;
}
