import type { SchedulerSettings } from './settings.ts';
import type { IssueRecord, LiveRun } from './state.ts';

/** Clean turns the issue may still use in this episode. */
export function remainingTurns(record: IssueRecord, settings: SchedulerSettings): number {
  return Math.max(0, settings.maxContinuationTurns - record.cleanTurns);
}

/** Which guardrail the issue has passed, with its figure and the way to raise it, or null. */
export function exhaustedBudget(
  record: IssueRecord,
  run: Pick<LiveRun, 'usage' | 'startedAt'> | null,
  now: number,
  settings: SchedulerSettings,
): string | null {
  const tokens = record.usage.totalTokens + (run?.usage.totalTokens ?? 0);
  if (settings.maxTokensPerClaim > 0 && tokens >= settings.maxTokensPerClaim) {
    return `${tokens} tokens used of ${settings.maxTokensPerClaim}; raise agent.max_tokens_per_claim to go on`;
  }
  const runtimeMs = record.runtimeMs + (run === null ? 0 : now - run.startedAt);
  if (settings.maxRuntimeMsPerClaim > 0 && runtimeMs >= settings.maxRuntimeMsPerClaim) {
    const [used, allowed] = [runtimeMs, settings.maxRuntimeMsPerClaim].map((ms) => Math.round(ms / 1000));
    return `${used} s of agent time used of ${allowed}; raise agent.max_runtime_seconds_per_claim to go on`;
  }
  return null;
}

export function turnBudgetMessage(record: IssueRecord, settings: SchedulerSettings): string {
  return `${record.cleanTurns} of ${settings.maxContinuationTurns} turns used and the issue is still active; raise agent.max_continuation_turns to go on`;
}
