import type { Kinds } from '../kinds.ts';
import { isMap } from './is-map.ts';

type Guidance = Readonly<Record<string, string>>;

/** Keys of older workflow files that no longer exist; each is refused with what replaces it. */
const REMOVED_KEYS: Guidance = {
  pr: 'Remove the block: the agent opens the pull request; say in the prompt how it should look.',
  safety: 'Remove the block: use `sandbox` and `codex.thread_sandbox` for limits that are enforced.',
  'tracker.statuses': 'Use `tracker.active_states` and `tracker.terminal_states`.',
  'tracker.base_url': 'Use `tracker.endpoint`.',
  'tracker.poll_interval_ms': 'Use `polling.interval_ms`.',
  'workspace.hooks': 'Move its keys to the top-level `hooks` block.',
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

/** The same, with those of the agents' own blocks. */
export function removedKeys(kinds: Kinds): Guidance {
  return { ...REMOVED_KEYS, ...ofAgents(kinds) };
}

function ofAgents({ agents }: Kinds): Guidance {
  return Object.assign({}, ...agents.map((agent) => agent.removedKeys));
}

/** Keys of an agent's block that a profile cannot have: what they govern is made once for all runs. */
function notInProfiles({ trackers }: Kinds): Guidance {
  const keys = trackers.flatMap(({ keyOfAgents: own }) =>
    own === undefined ? [] : [[`${own.section}.${own.name}`, own.notInProfiles]],
  );
  return Object.fromEntries(keys);
}

export interface RefusedKey {
  readonly key: string;
  readonly message: string;
  readonly guidance: string;
}

/** The keys of a file that are refused wherever they may stand: those that are gone, also within a profile. */
export function findRefusedKeys(kinds: Kinds, written: unknown): readonly RefusedKey[] {
  return [
    ...findIn(written, [], removedKeys(kinds), 'is no longer supported'),
    ...profileNames(written).flatMap((name) => {
      const place = ['agent', 'profiles', name];
      return [
        ...findIn(written, place, ofAgents(kinds), 'is no longer supported'),
        ...findIn(written, place, notInProfiles(kinds), 'cannot differ by profile'),
      ];
    }),
  ];
}

function findIn(
  written: unknown,
  place: readonly string[],
  keys: Guidance,
  verdict: string,
): readonly RefusedKey[] {
  return Object.entries(keys).flatMap(([name, guidance]) => {
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

export function isRefusedKey(kinds: Kinds, key: string): boolean {
  const inProfile = withoutProfile(kinds, key);
  return (
    Object.hasOwn(removedKeys(kinds), inProfile) ||
    (inProfile !== key && Object.hasOwn(notInProfiles(kinds), inProfile))
  );
}

export function hasNoEffect(kinds: Kinds, key: string): boolean {
  const named = withoutProfile(kinds, key);
  return kinds.agents.some(({ idleKeys = [] }) => idleKeys.includes(named));
}

/** The key of an agent's block within a profile as it is named at the top level; any other key as it is. */
function withoutProfile({ agents }: Kinds, key: string): string {
  const [, , , section = '', ...rest] = key.startsWith('agent.profiles.') ? key.split('.') : [];
  const isBlock = rest.length > 0 && agents.some((agent) => agent.section === section);
  return isBlock ? [section, ...rest].join('.') : key;
}

function isWritten(written: unknown, path: readonly string[]): boolean {
  let value = written;
  for (const name of path) {
    if (!isMap(value) || !Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return true;
}
