import type { Config } from '../../../config/config.ts';
import { fail, ok } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';
import type { ReachableAgent } from './reachable-agents.ts';

const TOOLS = {
  bubblewrap: { program: 'bwrap', package: 'bubblewrap' },
  firejail: { program: 'firejail', package: 'firejail' },
} as const;

/** Being installed is not enough: many systems forbid the namespaces a sandbox is made of. */
export function sandboxCheck(
  { sandbox: { backend, network } }: Config,
  agent: ReachableAgent,
  effects: Pick<Effects, 'agentEnvironment' | 'trySandbox'>,
): Check {
  return {
    id: 'sandbox',
    title: 'Sandbox',
    needs: 'agent',
    async run(signal) {
      if (backend === 'none') return ok('sandbox.backend is none');
      const tool = TOOLS[backend];
      const result = await effects.trySandbox(await effects.agentEnvironment(agent), signal);
      if (result.outcome === 'exited' && result.code === 0)
        return ok(`${backend} starts, network ${network}`);
      if (result.outcome === 'spawn_failed') {
        return fail(
          result.spawnError ?? `${tool.program} cannot be started`,
          `Install the package ${tool.package} of your system, or set sandbox.enabled: false.`,
        );
      }
      const said = result.stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
      return fail(
        `${tool.program} is installed but cannot start a program: ${said || `exit code ${result.code}`}`,
        'Allow user namespaces for the user of the worker (on Debian and Ubuntu: sysctl kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0; in a container: a seccomp profile that permits them), or choose another sandbox.backend.',
      );
    },
  };
}
