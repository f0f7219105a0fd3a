import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { pathKind, readRegularFile } from '../files/path-safety.ts';

/** Where a repository keeps what is its own (HEAD, index) and what its worktrees share (objects, refs, config). */
export interface RepositoryLocation {
  readonly gitDirectory: string;
  readonly commonDirectory: string;
}

/** A `.git` directory, or a `.git` file as submodules and worktrees have; a link is not followed. */
export async function locateRepository(workTree: string): Promise<RepositoryLocation | null> {
  const dotGit = join(workTree, '.git');
  const kind = await pathKind(dotGit);
  if (kind === 'directory') return { gitDirectory: dotGit, commonDirectory: dotGit };
  if (kind !== 'other') return null;
  const pointer = /^gitdir: (.+?)\s*$/.exec((await readRegularFile(dotGit, 4096)) ?? '')?.[1];
  if (pointer === undefined) return null;
  const gitDirectory = await realpath(resolve(workTree, pointer)).catch(() => null);
  if (gitDirectory === null || !(await lstat(gitDirectory)).isDirectory()) return null;
  const common = (await readRegularFile(join(gitDirectory, 'commondir'), 4096))?.trim();
  if (common === undefined || common === '') return { gitDirectory, commonDirectory: gitDirectory };
  const written = isAbsolute(common) ? common : resolve(gitDirectory, common);
  const commonDirectory = await realpath(written).catch(() => null);
  return commonDirectory === null ? null : { gitDirectory, commonDirectory };
}
