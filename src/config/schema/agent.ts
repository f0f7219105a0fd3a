import { z } from 'zod';
import { defaultAgent, type Kinds } from '../kinds.ts';
import { timeoutKey } from './agent-keys.ts';
import { amount, block, elsewhere, notNegative, optional, positive, withDefault } from './key.ts';
import { readLimitsByState } from './limits-by-state.ts';
import { profilesKey } from './profiles.ts';

const POLL = { applies: 'next poll' } as const;
const NO_LIMIT = { ...POLL, defaultText: 'no limit', read: readLimit } as const;

/** Null means no limit. */
function readLimit(written: number | undefined): number | null {
  return written === undefined || written === 0 ? null : written;
}

function limits(
  scope: string,
  description: string,
  alias: Partial<Record<'turns' | 'tokens' | 'runtime', string>>,
) {
  const like = (name: string | undefined) =>
    name === undefined ? NO_LIMIT : { ...NO_LIMIT, defaultText: `\`${name}\`` };
  return block(
    {
      turns: optional(notNegative, `Turns ${scope}; 0 means no limit.`, like(alias.turns)),
      tokens: optional(notNegative, `Tokens, in and out, ${scope}; 0 means no limit.`, like(alias.tokens)),
      usd: optional(amount, `Estimated cost in US dollars ${scope}; 0 means no limit.`, NO_LIMIT),
      runtime_seconds: optional(
        notNegative,
        `Seconds agents run ${scope}; 0 means no limit.`,
        like(alias.runtime),
      ),
    },
    description,
  );
}

const budgets = block(
  {
    run: limits('in one run', 'For one run.', { turns: 'agent.max_turns' }),
    issue: limits(
      'over all runs of one issue',
      'For one issue, over all its runs and restarts of the worker.',
      {
        turns: 'agent.max_continuation_turns',
        tokens: 'agent.max_tokens_per_claim',
        runtime: 'agent.max_runtime_seconds_per_claim',
      },
    ),
    day: limits('by all issues in one UTC day', 'For all issues together, in one UTC day.', {}),
    worker: limits('by all issues since the worker started', 'For the life of the worker process.', {}),
  },
  'What may be spent, by scope. An exhausted budget blocks the issue and says which figure to raise.',
);

/** Another name for a budget, printed as that; `none` is how it says that there is no limit. */
function asBudget(scope: 'run' | 'issue', name: 'turns' | 'tokens' | 'runtimeSeconds', none: number | null) {
  return (_: unknown, agent: Readonly<Record<string, unknown>>) =>
    (agent['budgets'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[scope]?.[name] ?? none;
}

export function agentBlock(kinds: Kinds) {
  const names = kinds.agents.map(({ kind }) => kind);
  const usual = defaultAgent(kinds, 'symphony');
  return block(
    {
      default: elsewhere(
        optional(z.enum(names), 'Which agent runs what no profile is chosen for.', {
          defaultText: `\`${defaultAgent(kinds, 'go').kind}\`; Symphony dialect: \`${usual.kind}\``,
          show: (_, { kind }) => kind,
        }),
      ),
      max_concurrent_agents: withDefault(positive, 10, 'Most runs at the same time.', POLL),
      max_concurrent_agents_by_state: withDefault(
        z.record(z.string(), z.unknown()),
        {},
        'Most runs at the same time by state name; names compare without case, and `_` stands for a space.',
        { ...POLL, read: readLimitsByState },
      ),
      ...budgetAliases,
      max_retry_backoff_ms: withDefault(
        positive,
        300_000,
        'Longest wait between retries of a failed run.',
        POLL,
      ),
      timeout: timeoutKey(
        'Cap on a whole run, as a duration such as `45m` or `1h30m`.',
        `\`30m\`; Symphony dialect: \`agent.max_turns\` × \`${usual.section}.turn_timeout_ms\``,
      ),
      no_progress_runs: withDefault(
        positive,
        3,
        'Runs in a row without a new commit, file, pull request or tracker change before the issue is blocked.',
        POLL,
      ),
      budgets,
      profiles: profilesKey(kinds),
    },
    'Which agent runs, how many at once, and what they may spend.',
  );
}

const budgetAliases = {
  max_turns: elsewhere(
    withDefault(positive, 20, 'Turns of one run. Same as `agent.budgets.run.turns`.', {
      show: asBudget('run', 'turns', null),
    }),
  ),
  max_continuation_turns: elsewhere(
    optional(
      positive,
      'Turns an issue may use over all its runs before it is blocked. Same as `agent.budgets.issue.turns`.',
      { ...POLL, defaultText: '`agent.max_turns`', show: asBudget('issue', 'turns', null) },
    ),
  ),
  max_tokens_per_claim: elsewhere(
    withDefault(
      notNegative,
      0,
      'Tokens an issue may use over all its runs; 0 means no limit. Same as `agent.budgets.issue.tokens`.',
      { ...POLL, show: asBudget('issue', 'tokens', 0) },
    ),
  ),
  max_runtime_seconds_per_claim: elsewhere(
    withDefault(
      notNegative,
      0,
      'Seconds an issue may run over all its runs; 0 means no limit. Same as `agent.budgets.issue.runtime_seconds`.',
      { ...POLL, show: asBudget('issue', 'runtimeSeconds', 0) },
    ),
  ),
};
