import type { Config } from '../../../config/config.ts';
import { fail, ok, warn } from '../../../domain/verdict.ts';
import { compareVersions, findVersion } from '../../../domain/version.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

/** As `engines` in package.json has it. */
export const OLDEST_NODE = '20.19.0';
/** The first with `repack --geometric`, by which mirrors stay fast. */
const OLDEST_GIT = '2.32.0';

export function nodeCheck({ nodeVersion }: Pick<Effects, 'nodeVersion'>): Check {
  return {
    id: 'node',
    title: 'Node.js',
    needs: 'machine',
    run: async () =>
      compareVersions(nodeVersion, OLDEST_NODE) < 0
        ? fail(`Node.js ${nodeVersion} is too old`, `Install Node.js ${OLDEST_NODE} or newer.`)
        : ok(`Node.js ${nodeVersion}`),
  };
}

/** Without `repo` the worker itself runs no git, but agents and hooks will want it. */
export function gitCheck(config: Config | null, { gitVersion }: Pick<Effects, 'gitVersion'>): Check {
  const bad = config?.repo === null ? warn : fail;
  const install = `Install git ${OLDEST_GIT} or newer, and make sure the PATH of the worker has it.`;
  return {
    id: 'git',
    title: 'git',
    needs: 'machine',
    async run() {
      const result = await gitVersion();
      if (result.outcome === 'spawn_failed')
        return bad(result.spawnError ?? 'git cannot be started', install);
      const version = findVersion(result.stdout);
      if (result.outcome !== 'exited' || result.code !== 0 || version === null) {
        return bad(`\`git --version\` failed: ${result.stderr.trim().slice(0, 300)}`, install);
      }
      return compareVersions(version, OLDEST_GIT) < 0
        ? bad(`git ${version} is too old`, install)
        : ok(`git ${version}`);
    },
  };
}
