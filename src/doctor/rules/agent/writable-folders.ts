import type { Config } from '../../../config/config.ts';
import { fail, type Verdict } from '../../../domain/verdict.ts';
import { isInside } from '../../../process/inside-folder.ts';
import { AGENT_KINDS } from '../../../runners/registry.ts';
import { type Check, problemsOr } from '../../check.ts';
import type { Effects } from '../../effects.ts';

interface Opened {
  readonly key: string;
  readonly folder: string;
}

interface Kept {
  readonly path: string;
  readonly what: string;
  /** What an agent that may write there would gain. */
  readonly because: string;
}

/** True when the workflow opens folders to its agents besides their workspaces. */
export function opensFolders(config: Config): boolean {
  return openedFolders(config).length > 0;
}

/**
 * What agents may write besides their workspaces must hold nothing that the worker trusts: a repository whose hooks run
 * when the worker pushes, other agents' work, the worker's own state, or the workflow itself.
 */
export function writableFolders(
  config: Config,
  repositoryPath: string | null,
  { stateFolder, realPath }: Pick<Effects, 'stateFolder' | 'realPath'>,
): Check {
  return {
    id: 'writable-folders',
    title: 'What agents may write',
    needs: 'files',
    async run() {
      const kept = keptPlaces(config, repositoryPath, stateFolder());
      const problems: Verdict[] = [];
      for (const { key, folder } of openedFolders(config)) {
        const real = await realPath(folder);
        for (const { path, what, because } of kept) {
          const names = [path, await realPath(path)];
          if (!names.some((name) => overlap(folder, name) || overlap(real, name))) continue;
          const text = `${key}: ${folder} gives agents ${what} (${path}): ${because}`;
          problems.push(fail(text, fixFor(key, folder, what), key));
        }
      }
      return problemsOr(problems, 'nothing that the worker relies on');
    },
  };
}

function openedFolders({ sandbox, agents }: Config): readonly Opened[] {
  const byAgents = AGENT_KINDS.flatMap(
    ({ section, opensFolders: opened }) => opened?.(agents[section] ?? {}) ?? [],
  );
  return [
    ...(sandbox.enabled ? sandbox.writableFolders : []).map((folder) => ({
      key: 'sandbox.writable_folders',
      folder,
    })),
    ...byAgents,
  ];
}

const REPOSITORY = 'the repository that the worker pushes to';

function keptPlaces(
  { workspace, workflowPath, repo }: Config,
  repositoryPath: string | null,
  state: string,
): readonly Kept[] {
  const hooks = 'a hook left there would run in the worker';
  return [
    ...(repositoryPath === null || repo?.push !== 'worker'
      ? []
      : [{ path: repositoryPath, what: REPOSITORY, because: hooks }]),
    { path: workspace.root, what: 'all workspaces', because: 'each agent may change only its own' },
    ...(repo === null
      ? []
      : [{ path: workspace.mirrorRoot, what: 'the mirrors', because: 'every workspace is made from them' }]),
    { path: state, what: "the worker's state", because: 'its token and its journal are there' },
    { path: workflowPath, what: 'the workflow', because: 'its hooks run in the worker' },
  ];
}

function fixFor(key: string, folder: string, what: string): string {
  const remove = `Take ${folder} out of ${key}`;
  return what === REPOSITORY
    ? `${remove}: \`git push\` reaches it through the worker. Or set repo.push: agent, and agents push to it by themselves.`
    : `${remove}, or name a folder in it that holds nothing else.`;
}

/** True when one is in the other, or they are the same. */
function overlap(a: string, b: string): boolean {
  return isInside(a, b) || isInside(b, a);
}
