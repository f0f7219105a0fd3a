import type { BudgetLimits, Config } from '../../config/config.ts';
import type { BudgetScope, Spend } from '../../domain/spend.ts';
import { normaliseState } from '../../domain/state-name.ts';
import type { TrustRules } from '../../domain/trust.ts';
import {
  type Agent,
  type AgentChoice,
  chooseAgent,
  indexProfiles,
  type Profiles,
  type Routed,
} from './profile.ts';

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
  /** Records of issues that are gone are kept this long; null or left out: for ever. */
  readonly recordsKeptMs?: number | null;
  /** The agent of issues that no profile is chosen for. */
  readonly runner: string;
  readonly profiles: Profiles;
  /** Who pushes the branches of issues; null without a repository that the worker knows. */
  readonly pushBy: 'worker' | 'agent' | null;
  /** Issues next in line that one look at the tracker can take along at no cost; default 0. */
  readonly readAhead?: number;
  /** Reasons why nothing may be dispatched now; empty when all is well. */
  readonly preflightErrors: readonly string[];
}

export function schedulerSettings(
  config: Config,
  preflightErrors: readonly string[],
  readAhead = 0,
): SchedulerSettings {
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
    stallTimeoutMs: agent.timeouts.stallMs,
    noProgressRuns: agent.noProgressRuns,
    recordsKeptMs: config.journal.keepDays > 0 ? config.journal.keepDays * 86_400_000 : null,
    runner: agent.kind,
    profiles: indexProfiles(agent.profiles, otherLabels(tracker)),
    pushBy: config.repo?.push ?? null,
    readAhead,
    preflightErrors,
  };
}

/** What labels stand for besides profiles: forges write states as labels. */
function otherLabels(tracker: Config['tracker']): readonly string[] {
  const { activeStates, inactiveStates, terminalStates, requiredLabels } = tracker;
  return [...[...activeStates, ...inactiveStates, ...terminalStates].map(normaliseState), ...requiredLabels];
}

function limitsOf({ turns, tokens, usd, runtimeSeconds }: BudgetLimits): Limits {
  return { turns, tokens, usd, runtimeMs: runtimeSeconds === null ? null : runtimeSeconds * 1000 };
}

/** Who would run the issue if it started now. */
export function agentFor(issue: Routed, settings: SchedulerSettings): AgentChoice {
  return chooseAgent(issue, settings.profiles, defaultAgent(settings));
}

function defaultAgent({ runner, stallTimeoutMs, budgets }: SchedulerSettings): Agent {
  return { profile: null, runner, stallTimeoutMs, maxTurns: budgets.run.turns, maxConcurrent: null };
}

/** As the configuration has it now; a live run whose agent is no longer there keeps what it started with. */
export function stallTimeoutOfRun(agent: Agent, settings: SchedulerSettings): number {
  const now =
    agent.profile === null
      ? defaultAgent(settings)
      : settings.profiles.agents.find(({ profile }) => profile === agent.profile);
  return now?.runner === agent.runner ? now.stallTimeoutMs : agent.stallTimeoutMs;
}
