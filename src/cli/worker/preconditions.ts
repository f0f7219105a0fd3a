import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import type { Environment } from '../../config/environment.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { buildChildEnvironment } from '../../process/environment.ts';
import { runCommand } from '../../process/run-command.ts';

/** What must be true before the first poll; each failure names the thing and the fix. */
export async function checkPreconditions(
  config: Config,
  environment: Environment,
  cwd: string,
): Promise<void> {
  await ensureWritable(config.workspace.root, 'workspace.root');
  await ensureAgentSdk(config);
  if (config.repo === null) return;
  await ensureWritable(config.workspace.mirrorRoot, 'workspace.mirror_root');
  await ensureGit(environment, cwd);
}

async function ensureWritable(path: string, key: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
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
