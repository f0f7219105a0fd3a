import type { AgentConfig, BudgetsConfig } from '../config.ts';
import { defaultAgent } from '../kinds.ts';
import { parseDuration } from '../read/duration.ts';
import { quote } from '../read/problem.ts';
import { readBlock } from '../schema/settings.ts';
import type { AgentSections } from './agent-sections.ts';
import type { Resolution } from './context.ts';

const DEFAULT_TIMEOUT_MS = 30 * 60_000;

/** Everything but the profiles, which need the rest. */
export function resolveAgent(at: Resolution, sections: AgentSections): Omit<AgentConfig, 'profiles'> {
  const { agent } = at.written;
  const { kinds } = at.format;
  reportDoubles(at);
  const settings = readBlock(at, at.format.agentBlock, agent, (name) => `agent.${name}`);
  const maxTurns = agent.budgets.run.turns ?? agent.max_turns;
  if (maxTurns < 1) {
    at.problem(
      'agent.budgets.run.turns',
      'agent.budgets.run.turns must be above 0',
      'A run needs at least one turn.',
    );
  }
  const chosen = sections.agent(agent.default ?? defaultAgent(kinds, at.dialect).kind);
  sections.checkChosen(chosen, 'agent.default');
  const usual = usualTimeout(
    at,
    maxTurns,
    sections.agent(defaultAgent(kinds, 'symphony').kind).timeouts.turnMs,
  );
  return {
    ...settings,
    ...chosen,
    timeoutMs: resolveTimeout(at, 'agent.timeout', agent.timeout, usual),
    budgets: withAliases(at, settings.budgets, maxTurns),
  };
}

/** The budgets with what their other names say. */
function withAliases({ written }: Resolution, budgets: BudgetsConfig, maxTurns: number): BudgetsConfig {
  const { agent } = written;
  const limit = (value: number) => (value === 0 ? null : value);
  const { turns, tokens, runtime_seconds: seconds } = agent.budgets.issue;
  return {
    ...budgets,
    run: { ...budgets.run, turns: limit(maxTurns) },
    issue: {
      ...budgets.issue,
      turns: limit(turns ?? agent.max_continuation_turns ?? maxTurns),
      tokens: limit(tokens ?? agent.max_tokens_per_claim),
      runtimeSeconds: limit(seconds ?? agent.max_runtime_seconds_per_claim),
    },
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
