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
  'agent.fallback': 'Remove it: `agent.default` names the only agent.',
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

export interface RemovedKey {
  readonly key: string;
  readonly guidance: string;
}

/** The removed keys that a file writes. */
export function findRemovedKeys(written: unknown): readonly RemovedKey[] {
  return Object.entries(REMOVED_KEYS).flatMap(([key, guidance]) =>
    isWritten(written, key) ? [{ key, guidance }] : [],
  );
}

export function isRemovedKey(key: string): boolean {
  return Object.hasOwn(REMOVED_KEYS, key);
}

export function hasNoEffect(key: string): boolean {
  return WITHOUT_EFFECT.includes(key);
}

function isWritten(written: unknown, key: string): boolean {
  let value = written;
  for (const name of key.split('.')) {
    if (!isMap(value) || !Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return true;
}
