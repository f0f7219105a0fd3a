import { join } from 'node:path';
import { pathKind } from '../files/path-safety.ts';
import type { Git } from './git.ts';
import { progressReporter } from './progress.ts';

/** Checks out the submodules of a fresh checkout, if it has any. One that cannot be had fails the preparation. */
export async function checkOutSubmodules(
  git: Git,
  directory: string,
  onProgress: (detail: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if ((await pathKind(join(directory, '.gitmodules'))) !== 'other') return;
  onProgress('checking out submodules');
  await git.run(['submodule', 'update', '--init', '--recursive', '--progress'], {
    cwd: directory,
    action: 'checking out the submodules',
    signal,
    network: true,
    onProgress: progressReporter('checking out submodules', onProgress),
  });
}
