import { mkdir } from 'node:fs/promises';
import type { SandboxConfig } from '../../config/config.ts';
import { AppError } from '../../errors/app-error.ts';
import { isInside } from '../../process/inside-folder.ts';
import { bubblewrapArgs } from './bubblewrap.ts';
import { firejailLaunch } from './firejail.ts';
import type { Launch } from './launch.ts';
import { planVisibility } from './plan.ts';

export interface SandboxPlace {
  readonly workspacePath: string;
  /** What the workspace borrows from, in the worker's own words, never the workspace's; shown read-only. */
  readonly borrowedFolders?: readonly string[] | undefined;
  /** Folders outside of the workspace that the agent keeps its own state in; made when they are missing. */
  readonly stateFolders: readonly string[];
  /** What the agent's program reads besides the folder of its command; shown read-only. */
  readonly programFiles?: readonly string[];
  /** Variables the agent needs besides the workflow's list. */
  readonly variables: readonly string[];
}

/** Puts an agent's process into the sandbox of the workflow. */
export interface Sandbox {
  wrap(launch: Launch, place: SandboxPlace): Promise<Launch>;
  /** False when the agent's commands have no network. */
  readonly network: boolean;
}

/** Null when the workflow wants none. `mirrorRoot` holds the objects that workspaces borrow. */
export function createSandbox(config: SandboxConfig, mirrorRoot: string): Sandbox | null {
  const { enabled, backend } = config;
  if (!enabled || backend === 'none') return null;
  if (process.platform !== 'linux') {
    throw new AppError('agent_failed', `sandbox.backend ${backend} needs Linux.`, {
      hint: 'Set sandbox.enabled: false in WORKFLOW.md, or run the worker on Linux.',
    });
  }
  return {
    network: config.network !== 'none',
    async wrap(launch, place) {
      for (const folder of place.stateFolders) await mkdir(folder, { recursive: true });
      const seen = await planVisibility({
        command: launch.command,
        env: launch.env,
        workspacePath: place.workspacePath,
        stateFolders: place.stateFolders,
        programFiles: place.programFiles ?? [],
        borrowedFolders: place.borrowedFolders ?? [],
        writableFolders: config.writableFolders,
        credentialFiles: config.credentialFiles,
        mirrorRoot,
      });
      const env = visibleVariables(launch.env, config, place);
      if (backend === 'bubblewrap') {
        const args = await bubblewrapArgs(seen, config.network === 'normal', place.workspacePath);
        return { command: 'bwrap', args: [...args, seen.program, ...launch.args], env };
      }
      const { args, dispose } = await firejailLaunch(seen, config);
      return { command: 'firejail', args: [...args, seen.program, ...launch.args], env, dispose };
    },
  };
}

/** The workflow's list, the worker's own marks, and the caches inside of the workspace. */
function visibleVariables(
  env: Readonly<Record<string, string>>,
  { envAllowlist }: SandboxConfig,
  { workspacePath, variables }: SandboxPlace,
): Record<string, string> {
  const allowed = new Set([...envAllowlist, ...variables]);
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) =>
        allowed.has(name) ||
        name.startsWith('AIOPS_') ||
        (value.startsWith('/') && isInside(value, workspacePath)),
    ),
  );
}
