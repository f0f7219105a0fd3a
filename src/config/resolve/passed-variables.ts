import type { ConfigSecret } from '../config.ts';
import { quote } from '../read/problem.ts';
import type { Resolution } from './context.ts';
import { isTrackerSecretName } from './secret-names.ts';

/** Lists of variables for agents must not hold a credential of the worker; for hooks it is left out, and said. */
export function checkPassedVariables(at: Resolution, secrets: readonly ConfigSecret[]): void {
  const { agent, codex, claude, acp, sandbox, hooks } = at.written;
  const ofProfiles = Object.entries(agent.profiles).flatMap(([name, profile]) =>
    (['codex', 'claude', 'acp'] as const).map(
      (block) =>
        [`agent.profiles.${name}.${block}.env_passthrough`, profile[block]?.env_passthrough ?? []] as const,
    ),
  );
  const lists = [
    ['codex.env_passthrough', codex.env_passthrough],
    ['claude.env_passthrough', claude.env_passthrough],
    ['acp.env_passthrough', acp.env_passthrough],
    ['sandbox.env_allowlist', sandbox.env_allowlist],
    ['hooks.env_passthrough', hooks.env_passthrough],
    ...ofProfiles,
  ] as const;
  for (const [list, names] of lists) {
    names.forEach((name, index) => {
      const key = `${list}[${index}]`;
      if (!/^[A-Za-z_]\w*$/.test(name)) {
        at.problem(
          key,
          `${key} ${quote(name)} is not the name of a variable`,
          'Write names only, such as HTTPS_PROXY.',
        );
      } else if (!holdsCredential(at, secrets, name)) {
        return;
      } else if (list === 'hooks.env_passthrough') {
        at.warn(
          key,
          `${key}: ${name} holds a credential of the worker and is left out`,
          'Remove it from the list.',
        );
      } else {
        at.problem(
          key,
          `${key}: ${name} holds a credential of the worker`,
          'Remove it: agents never get it.',
        );
      }
    });
  }
}

function holdsCredential(at: Resolution, secrets: readonly ConfigSecret[], name: string): boolean {
  if (isTrackerSecretName(name) || secrets.some(({ variable }) => variable === name)) return true;
  const value = at.environment[name]?.trim();
  return value !== undefined && secrets.some((secret) => secret.value?.reveal() === value);
}
