import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import type { Environment } from '../../config/environment.ts';
import { overlaps } from '../../config/shared-roots.ts';
import { stateFolderOf } from '../../config/state-folder.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { buildChildEnvironment } from '../../process/environment.ts';
import { ensurePrivateFolder } from '../../process/private-folder.ts';
import { runCommand } from '../../process/run-command.ts';

/** What must be true before the first poll; each failure names the thing and the fix. */
export async function checkPreconditions(
  config: Config,
  environment: Environment,
  cwd: string,
): Promise<void> {
  await ensureStateFolder(config, environment);
  await ensureWritable(config.workspace.root, 'workspace.root');
  await ensureAgentSdk(config);
  if (config.repo === null) return;
  await ensureWritable(config.workspace.mirrorRoot, 'workspace.mirror_root');
  await ensureGit(environment, cwd);
}

/** A workflow that names no places of its own keeps everything in its state folder, which is for its user only. */
async function ensureStateFolder(
  { workflowPath, workspace: { root, mirrorRoot } }: Config,
  environment: Environment,
): Promise<void> {
  const folder = stateFolderOf(workflowPath, environment);
  if (!overlaps(folder, root) && !overlaps(folder, mirrorRoot)) return;
  await ensurePrivateFolder(folder).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    throw new AppError('workspace_root_unwritable', `${folder} cannot be created: ${messageOf(error)}`, {
      hint: 'Let this user write there, set XDG_STATE_HOME, or set workspace.root and workspace.mirror_root in WORKFLOW.md.',
      cause: error,
    });
  });
}

async function ensureWritable(path: string, key: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new AppError('workspace_root_unwritable', `${key} ${path} cannot be written: ${messageOf(error)}`, {
      hint: `Set ${key} in WORKFLOW.md to a directory this user may write.`,
      cause: error,
    });
  }
}

/** A workflow that insists on the Claude Agent SDK is told at once that it is missing. */
async function ensureAgentSdk({ agent, claude, worker }: Config): Promise<void> {
  const insists = [{ runner: agent.default, claude }, ...agent.profiles].filter(
    (profile) => profile.runner === 'claude' && profile.claude.driver === 'sdk',
  );
  if (insists.length === 0 || worker.sshHosts.length > 0) return;
  const { chooseDriver } = await import('../../runners/claude/driver.ts');
  for (const profile of insists) chooseDriver(profile.claude);
}

async function ensureGit(environment: Environment, cwd: string): Promise<void> {
  const env = buildChildEnvironment({
    source: environment,
    passthrough: [],
    denyNames: [],
    denyValues: [],
    extra: {},
  });
  const result = await runCommand({ command: 'git', args: ['--version'], cwd, env, timeoutMs: 10_000 });
  if (result.outcome === 'exited' && result.code === 0) return;
  throw new AppError('git_missing', 'git was not found on PATH', {
    hint: 'Install git 2.32 or newer, or put it on PATH.',
  });
}
