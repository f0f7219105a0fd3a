import type { Config } from '../../../config/config.ts';
import { ok } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

/**
 * How far the worker can follow what an agent starts. Without a cgroup a process that leaves its session, clears its
 * environment and outlives its parent is not found; that is no fault of the set-up, and is said.
 */
export function strayProcesses({ sandbox }: Config, { probeCgroups }: Pick<Effects, 'probeCgroups'>): Check {
  return {
    id: 'stray-processes',
    title: 'Processes of agents',
    needs: 'machine',
    doctorOnly: true,
    async run() {
      const found = await probeCgroups();
      if ('own' in found) return ok(`each agent has a cgroup of its own, below ${found.own}`);
      const rest =
        sandbox.enabled && sandbox.backend === 'bubblewrap'
          ? 'bubblewrap ends what leaves the session of an agent'
          : 'one that leaves its session and clears its environment may outlive its run. Where systemd runs, `systemd-run --user --scope aiops worker` gives the worker a cgroup that it may divide';
      return ok(`found by group, parent and environment, without cgroups: ${found.why}; ${rest}`);
    },
  };
}
