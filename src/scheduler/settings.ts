import type { Config } from '../config/config.ts';
import { normaliseState } from '../domain/state-name.ts';

/** What the scheduler needs of the configuration, prepared for quick comparison. Plain data. */
export interface SchedulerSettings {
  readonly pollIntervalMs: number;
  readonly activeStates: readonly string[];
  readonly activeSet: ReadonlySet<string>;
  readonly terminalSet: ReadonlySet<string>;
  readonly requiredLabels: readonly string[];
  readonly maxConcurrentAgents: number;
  readonly maxConcurrentByState: ReadonlyMap<string, number>;
  readonly maxTurns: number;
  readonly maxContinuationTurns: number;
  readonly maxTokensPerClaim: number;
  readonly maxRuntimeMsPerClaim: number;
  readonly maxRetryBackoffMs: number;
  readonly stallTimeoutMs: number;
  readonly noProgressRuns: number;
  readonly runner: string;
  /** Reasons why nothing may be dispatched now; empty when all is well. */
  readonly preflightErrors: readonly string[];
}

export function schedulerSettings(config: Config, preflightErrors: readonly string[]): SchedulerSettings {
  const { agent, tracker } = config;
  return {
    pollIntervalMs: config.polling.intervalMs,
    activeStates: tracker.activeStates,
    activeSet: new Set(tracker.activeStates.map(normaliseState)),
    terminalSet: new Set(tracker.terminalStates.map(normaliseState)),
    requiredLabels: tracker.requiredLabels,
    maxConcurrentAgents: agent.maxConcurrentAgents,
    maxConcurrentByState: new Map(Object.entries(agent.maxConcurrentAgentsByState)),
    maxTurns: agent.maxTurns,
    maxContinuationTurns: agent.maxContinuationTurns,
    maxTokensPerClaim: agent.maxTokensPerClaim,
    maxRuntimeMsPerClaim: agent.maxRuntimeSecondsPerClaim * 1000,
    maxRetryBackoffMs: agent.maxRetryBackoffMs,
    stallTimeoutMs: config.codex.stallTimeoutMs,
    noProgressRuns: agent.noProgressRuns,
    runner: agent.default,
    preflightErrors,
  };
}
