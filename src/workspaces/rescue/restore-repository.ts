import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import { pathKind } from '../files/path-safety.ts';
import type { Git } from '../git/git.ts';
import type { RescuePart } from './manifest.ts';
import type { RestoreRequest } from './restore-rescue.ts';

type Run = (...args: string[]) => Promise<string>;

/** Rebuilds one repository, or a plain directory, from its bundle. */
export async function restoreRepository(
  request: RestoreRequest,
  part: RescuePart,
  target: string,
): Promise<void> {
  const path = join(target, part.path);
  await mkdir(path, { recursive: true });
  const run: Run = (...args) =>
    request.git.run(args, {
      cwd: path,
      action: `restoring into ${path}`,
      signal: request.signal,
      network: true,
    });
  await run('init', '--quiet', '--initial-branch=restored');
  await bringHistory(request, part, run);
  const bundle = join(request.directory, part.bundle);
  await run('fetch', '--quiet', '--no-tags', '--update-head-ok', bundle, '+refs/*:refs/*');
  await checkOut(request.git, path, part, run);
  await restoreFiles(part, run);
  if (!part.repository) await rm(join(path, '.git'), { recursive: true, force: true });
}

/** A bundle holds only what the remote lacked; what it builds on is in the rescue, else in the mirror or at the remote. */
async function bringHistory(
  { directory, manifest }: RestoreRequest,
  part: RescuePart,
  run: Run,
): Promise<void> {
  if (part.remote === null) return;
  await run('remote', 'add', 'origin', part.remote);
  const fetch = ['fetch', '--quiet', '--no-tags', '--update-head-ok', '--update-shallow'];
  const branches = '+refs/remotes/origin/*:refs/remotes/origin/*';
  if (part.history !== null) {
    await run(...fetch, join(directory, part.history), branches);
    return;
  }
  if (part.mirror !== null && (await pathKind(part.mirror)) === 'directory') {
    await run(...fetch, part.mirror, branches, `+refs/aiops/rescue/${manifest.id}/*:refs/*`);
    return;
  }
  try {
    await run('fetch', '--quiet', 'origin');
  } catch (cause) {
    throw new AppError(
      'git_failed',
      `the history this work builds on cannot be fetched from ${part.remote}`,
      {
        hint: `Make ${part.remote} reachable, then restore again; the saved work is untouched.`,
        cause,
      },
    );
  }
}

async function checkOut(git: Git, path: string, part: RescuePart, run: Run): Promise<void> {
  if (part.head === null) return;
  if (part.branch === null) {
    await run('checkout', '--quiet', '--detach', part.head);
    return;
  }
  await run('update-ref', `refs/heads/${part.branch}`, part.head);
  const result = await git.attempt(['checkout', '--quiet', part.branch], {
    cwd: path,
    action: 'restoring a branch',
  });
  if (result.code !== 0) await run('checkout', '--quiet', '--detach', part.head);
}

/** Files and index first become the saved working tree; then the index alone goes back to what was staged. */
async function restoreFiles(part: RescuePart, run: Run): Promise<void> {
  if (part.worktree === null) return;
  if (part.head === null) await run('read-tree', '-m', '-u', part.worktree);
  else await run('read-tree', '-m', '-u', part.head, part.worktree);
  const staged = part.index ?? part.head;
  await (staged === null ? run('read-tree', '--empty') : run('read-tree', staged));
}
