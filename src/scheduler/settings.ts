import type { BudgetLimits, Config } from '../config/config.ts';
import type { BudgetScope, Spend } from '../domain/spend.ts';
import { normaliseState } from '../domain/state-name.ts';
import type { TrustRules } from '../domain/trust.ts';

/** Null means no limit. */
export type Limits = Readonly<Record<keyof Spend, number | null>>;

/** What the scheduler needs of the configuration, prepared for quick comparison. Plain data. */
export interface SchedulerSettings {
  readonly pollIntervalMs: number;
  readonly activeStates: readonly string[];
  readonly activeSet: ReadonlySet<string>;
  readonly terminalSet: ReadonlySet<string>;
  readonly requiredLabels: readonly string[];
  readonly trust: TrustRules | null;
  readonly maxConcurrentAgents: number;
  readonly maxConcurrentByState: ReadonlyMap<string, number>;
  readonly budgets: Readonly<Record<BudgetScope, Limits>>;
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
    trust: tracker.trust,
    maxConcurrentAgents: agent.maxConcurrentAgents,
    maxConcurrentByState: new Map(Object.entries(agent.maxConcurrentAgentsByState)),
    budgets: {
      run: limitsOf(agent.budgets.run),
      issue: limitsOf(agent.budgets.issue),
      day: limitsOf(agent.budgets.day),
      worker: limitsOf(agent.budgets.worker),
    },
    maxRetryBackoffMs: agent.maxRetryBackoffMs,
    stallTimeoutMs: stallTimeoutOf(config),
    noProgressRuns: agent.noProgressRuns,
    runner: agent.default,
    preflightErrors,
  };
}

function limitsOf({ turns, tokens, usd, runtimeSeconds }: BudgetLimits): Limits {
  return { turns, tokens, usd, runtimeMs: runtimeSeconds === null ? null : runtimeSeconds * 1000 };
}

function stallTimeoutOf({ agent, codex, claude, acp }: Config): number {
  if (agent.default === 'claude') return claude.stallTimeoutMs;
  return agent.default === 'acp' ? acp.stallTimeoutMs : codex.stallTimeoutMs;
}
