import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import { runCommand } from '../../process/children/run-command.ts';
import { pathKind } from '../files/path-safety.ts';
import type { Git } from '../git/git.ts';
import type { RescueManifest } from './manifest.ts';
import { restoreRepository } from './restore-repository.ts';

export interface RestoreReport {
  readonly path: string;
  /** Null when the workspace was no repository, or HEAD was detached. */
  readonly branch: string | null;
  readonly unpushedCommits: number;
  readonly uncommittedFiles: number;
}

export interface RestoreRequest {
  readonly git: Git;
  /** The rescue's directory. */
  readonly directory: string;
  readonly manifest: RescueManifest;
  readonly target: string;
  readonly signal: AbortSignal;
}

/**
 * Rebuilds the saved state in a new directory: branches and commits, then staged, unstaged and untracked files as they
 * were. Nothing appears at the target until all of it is there.
 */
export async function restoreRescue(request: RestoreRequest): Promise<RestoreReport> {
  const { manifest, directory } = request;
  const target = resolve(request.target);
  await assertFree(target);
  const staging = `${target}.restoring-${manifest.id.slice(-4)}`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  try {
    if (manifest.directory !== null) {
      await copyTree(join(directory, manifest.directory), staging, request.signal);
    } else {
      await mkdir(staging);
      for (const part of manifest.parts) await restoreRepository(request, part, staging);
    }
    await rename(staging, target);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  return {
    path: target,
    branch: manifest.parts[0]?.branch ?? null,
    unpushedCommits: manifest.parts.reduce((sum, part) => sum + part.unpushedCommits, 0),
    uncommittedFiles: manifest.parts.reduce((sum, part) => sum + part.uncommittedFiles, 0),
  };
}

/** By the system's own program: it copies names of any bytes, and pipes as pipes instead of waiting for them. */
async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  const args = ['-R', '-P', '-p', '--', from, to];
  const result = await runCommand({ command: 'cp', args, cwd: dirname(to), env: {}, signal });
  signal.throwIfAborted();
  if (result.outcome === 'exited' && result.code === 0) return;
  const reason = result.spawnError ?? result.stderr.trim().split('\n').at(-1) ?? 'unknown reason';
  throw new AppError('git_failed', `the rescued directory could not be copied: ${reason}`, {
    hint: `Copy ${from} by hand; the saved work is untouched.`,
  });
}

async function assertFree(target: string): Promise<void> {
  const kind = await pathKind(target);
  if (kind === 'missing' || (kind === 'directory' && (await readdir(target)).length === 0)) return;
  throw new AppError('usage', `${target} already exists`, {
    hint: 'Give --to a directory that does not exist yet; nothing is ever overwritten.',
  });
}
