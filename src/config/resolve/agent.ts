import { normaliseState } from '../../domain/state-name.ts';
import type { AgentConfig, BudgetLimits, BudgetsConfig, TrackerConfig } from '../config.ts';
import { parseDuration } from '../read/duration.ts';
import { quote } from '../read/problem.ts';
import type { WrittenWorkflow } from '../schema/workflow.ts';
import type { Resolution } from './context.ts';

type WrittenAgent = WrittenWorkflow['agent'];
type WrittenLimits = WrittenAgent['budgets']['run'];

const DEFAULT_TIMEOUT_MS = 30 * 60_000;

/** Everything but the profiles, which need the rest. */
export function resolveAgent(at: Resolution, tracker: TrackerConfig): Omit<AgentConfig, 'profiles'> {
  const { agent } = at.written;
  reportDoubles(at);
  const maxTurns = agent.budgets.run.turns ?? agent.max_turns;
  if (maxTurns < 1) {
    at.problem(
      'agent.budgets.run.turns',
      'agent.budgets.run.turns must be above 0',
      'A run needs at least one turn.',
    );
  }
  const maxContinuationTurns = agent.budgets.issue.turns ?? agent.max_continuation_turns ?? maxTurns;
  const maxTokensPerClaim = agent.budgets.issue.tokens ?? agent.max_tokens_per_claim;
  const maxRuntimeSecondsPerClaim =
    agent.budgets.issue.runtime_seconds ?? agent.max_runtime_seconds_per_claim;
  return {
    default: agent.default ?? (at.dialect === 'go' ? 'mock' : 'codex-app-server'),
    maxConcurrentAgents: agent.max_concurrent_agents,
    maxConcurrentAgentsByState: resolveLimitsByState(at, tracker),
    maxTurns,
    maxContinuationTurns: maxContinuationTurns === 0 ? Number.MAX_SAFE_INTEGER : maxContinuationTurns,
    maxTokensPerClaim,
    maxRuntimeSecondsPerClaim,
    maxRetryBackoffMs: agent.max_retry_backoff_ms,
    timeoutMs: resolveTimeout(
      at,
      'agent.timeout',
      agent.timeout,
      usualTimeout(at, maxTurns, at.written.codex.turn_timeout_ms),
    ),
    noProgressRuns: agent.no_progress_runs,
    budgets: resolveBudgets(agent, {
      runTurns: maxTurns,
      issueTurns: maxContinuationTurns,
      issueTokens: maxTokensPerClaim,
      issueSeconds: maxRuntimeSecondsPerClaim,
    }),
  };
}

function resolveBudgets(
  agent: WrittenAgent,
  aliased: { runTurns: number; issueTurns: number; issueTokens: number; issueSeconds: number },
): BudgetsConfig {
  const { budgets } = agent;
  return {
    run: limits({ ...budgets.run, turns: aliased.runTurns }),
    issue: limits({
      ...budgets.issue,
      turns: aliased.issueTurns,
      tokens: aliased.issueTokens,
      runtime_seconds: aliased.issueSeconds,
    }),
    day: limits(budgets.day),
    worker: limits(budgets.worker),
  };
}

function limits(written: WrittenLimits): BudgetLimits {
  const limit = (value: number | undefined) => (value === undefined || value === 0 ? null : value);
  return {
    turns: limit(written.turns),
    tokens: limit(written.tokens),
    usd: limit(written.usd),
    runtimeSeconds: limit(written.runtime_seconds),
  };
}

const DOUBLES = [
  ['agent.max_turns', 'agent.budgets.run.turns'],
  ['agent.max_continuation_turns', 'agent.budgets.issue.turns'],
  ['agent.max_tokens_per_claim', 'agent.budgets.issue.tokens'],
  ['agent.max_runtime_seconds_per_claim', 'agent.budgets.issue.runtime_seconds'],
] as const;

function reportDoubles(at: Resolution): void {
  for (const [short, long] of DOUBLES) {
    if (at.has(short) && at.has(long))
      at.problem(long, `${short} and ${long} say the same thing`, 'Keep one of the two.');
    else if (at.has(long)) at.from(short, 'workflow');
    else if (at.has(short)) at.from(long, 'workflow');
  }
}

/** The Go dialect's cap is half an hour; Symphony has none, so there it is what its turn limits allow at most. */
export function usualTimeout(at: Resolution, maxTurns: number, turnTimeoutMs: number): number {
  return at.dialect === 'go' ? DEFAULT_TIMEOUT_MS : Math.max(1, maxTurns) * turnTimeoutMs;
}

export function resolveTimeout(
  at: Resolution,
  key: string,
  written: string | undefined,
  usual: number,
): number {
  if (written === undefined) return usual;
  const duration = parseDuration(written);
  if (duration === null) {
    at.problem(
      key,
      `${key} ${quote(written)} is not a duration`,
      'Write a number and a unit, such as 45m or 1h30m.',
    );
    return usual;
  }
  if (duration >= 1) return Math.round(duration);
  at.warn(
    key,
    `${key} is not above zero, so the default is used`,
    'Remove the key or write a duration such as 45m.',
  );
  return usual;
}

/** By normalised state name; `in_progress` is the state `In Progress` when the tracker settings name that one. */
function resolveLimitsByState(at: Resolution, tracker: TrackerConfig): Record<string, number> {
  const block = 'agent.max_concurrent_agents_by_state';
  const result = new Map<string, number>();
  for (const [name, value] of Object.entries(at.written.agent.max_concurrent_agents_by_state)) {
    const key = `${block}.${name}`;
    const state = stateNamed(name, tracker);
    const bad = state === '' || typeof value !== 'number' || !Number.isInteger(value) || value < 1;
    if (bad && at.dialect === 'symphony') {
      at.warn(
        key,
        `${key} is not a whole number above 0, so it is ignored`,
        'Write a number, or remove the entry.',
      );
    } else if (bad) {
      at.problem(key, `${key} must be a whole number above 0`, 'Write a number, or remove the entry.');
    } else if (result.has(state)) {
      at.problem(
        key,
        `${key} names the state ${quote(state)} a second time`,
        'Keep one entry for each state.',
      );
    } else {
      result.set(state, value);
    }
  }
  return Object.fromEntries(result);
}

/** The normalised name; `in_progress` is `in progress` when the tracker settings name a state so. */
export function stateNamed(name: string, tracker: TrackerConfig): string {
  const wanted = normaliseState(name);
  const states = [...tracker.activeStates, ...tracker.inactiveStates, ...tracker.terminalStates];
  const known = states.map(normaliseState).find((state) => {
    return state.replaceAll(' ', '_') === wanted.replaceAll(' ', '_');
  });
  return known ?? wanted;
}
