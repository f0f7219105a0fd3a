import { isMap } from './align.ts';

/** Keys of older workflow files that no longer exist; each is refused with what replaces it. */
export const REMOVED_KEYS: Readonly<Record<string, string>> = {
  pr: 'Remove the block: the agent opens the pull request; say in the prompt how it should look.',
  safety: 'Remove the block: use `sandbox` and `codex.thread_sandbox` for limits that are enforced.',
  'tracker.statuses': 'Use `tracker.active_states` and `tracker.terminal_states`.',
  'tracker.base_url': 'Use `tracker.endpoint`.',
  'tracker.poll_interval_ms': 'Use `polling.interval_ms`.',
  'workspace.hooks': 'Move its keys to the top-level `hooks` block.',
  'codex.profile': 'Put the profile into `codex.command`, as in `codex --profile NAME app-server`.',
  'claude.profile': 'Put the options into `claude.command`.',
  'claude.linear_graphql': 'Use `codex.linear_graphql`; it governs the tool for every agent.',
  'verify.timeout': 'Remove it: the agent runs the commands; `agent.timeout` caps the run.',
  'verify.allow_failure': 'Remove it: say in the prompt which failures are acceptable.',
  'verify.env_passthrough': "Use the agent's own `env_passthrough`: the agent runs the commands.",
  'verify.secret_scan': 'Remove it: put the scanner into `verify.commands`.',
  'policy.allow_paths': 'Remove it: say in the prompt which paths may change.',
  'policy.deny_paths': 'Remove it: say in the prompt which paths must not change.',
  'policy.max_changed_files': 'Remove it: say in the prompt how large a change may be.',
  'policy.max_changed_lines': 'Remove it: say in the prompt how large a change may be.',
  'policy.max_changed_loc': 'Remove it: say in the prompt how large a change may be.',
  'agent.policy_violation_budget': 'Remove it: use `agent.budgets`.',
  'agent.fallback': 'Remove it: `agent.default` and `agent.profiles` name the agents.',
  'agent.max_retry_attempts': 'Remove it: `agent.budgets.issue` limits what retries may spend.',
  'agent.max_timeout_retries': 'Remove it: `agent.budgets.issue` limits what retries may spend.',
};

/** Keys that older files carry without effect. */
const WITHOUT_EFFECT: readonly string[] = [
  'claude.approval_policy',
  'claude.thread_sandbox',
  'claude.turn_sandbox_policy',
  'claude.read_timeout_ms',
];

/** Keys of an agent's block that a profile cannot have: what they govern is made once for all runs. */
const NOT_IN_PROFILES: Readonly<Record<string, string>> = {
  'codex.linear_graphql': 'Use the top-level `codex.linear_graphql`; it governs the tool for every agent.',
};

export interface RefusedKey {
  readonly key: string;
  readonly message: string;
  readonly guidance: string;
}

/** The keys of a file that are refused wherever they may stand: those that are gone, also within a profile. */
export function findRefusedKeys(written: unknown): readonly RefusedKey[] {
  const removed = Object.entries(REMOVED_KEYS);
  return [
    ...findIn(written, [], removed, 'is no longer supported'),
    ...profileNames(written).flatMap((name) => {
      const place = ['agent', 'profiles', name];
      const ofBlocks = removed.filter(([key]) => /^(codex|claude|acp)\./.test(key));
      return [
        ...findIn(written, place, ofBlocks, 'is no longer supported'),
        ...findIn(written, place, Object.entries(NOT_IN_PROFILES), 'cannot differ by profile'),
      ];
    }),
  ];
}

function findIn(
  written: unknown,
  place: readonly string[],
  keys: readonly (readonly [string, string])[],
  verdict: string,
): readonly RefusedKey[] {
  return keys.flatMap(([name, guidance]) => {
    const path = [...place, ...name.split('.')];
    const key = path.join('.');
    return isWritten(written, path) ? [{ key, message: `${key} ${verdict}`, guidance }] : [];
  });
}

function profileNames(written: unknown): readonly string[] {
  const agent = isMap(written) ? written['agent'] : undefined;
  const profiles = isMap(agent) ? agent['profiles'] : undefined;
  return isMap(profiles) ? Object.keys(profiles) : [];
}

export function isRefusedKey(key: string): boolean {
  const inProfile = withoutProfile(key);
  return (
    Object.hasOwn(REMOVED_KEYS, inProfile) || (inProfile !== key && Object.hasOwn(NOT_IN_PROFILES, inProfile))
  );
}

export function hasNoEffect(key: string): boolean {
  return WITHOUT_EFFECT.includes(withoutProfile(key));
}

/** The key of an agent's block within a profile as it is named at the top level; any other key as it is. */
function withoutProfile(key: string): string {
  return key.replace(/^agent\.profiles\.[^.]+\.(?=(?:codex|claude|acp)\.)/, '');
}

function isWritten(written: unknown, path: readonly string[]): boolean {
  let value = written;
  for (const name of path) {
    if (!isMap(value) || !Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return true;
}
