import { copyFile, link, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno } from '../../errors/app-error.ts';
import { writeRepository } from '../git/write-repository.ts';
import type { Mirror } from '../mirror/mirrors.ts';

export const HISTORY = 'history.git';
/** On another disk packs cannot be linked; up to this size they are copied. */
const MAX_COPIED_BYTES = 50 * 1024 * 1024;

/**
 * Gives a rescue its own hold on the commits its bundle builds on: a bare repository whose packs are hard links to the
 * mirror's, so that it takes no disk and needs neither the mirror nor the remote any more. Packs never change, which
 * makes the links safe. Null when the packs are on another disk and too large to copy, or incomplete.
 */
export async function keepHistory(mirror: Mirror, target: string): Promise<string | null> {
  const source = join(mirror.path, 'objects', 'pack');
  const present = await readdir(source);
  // A partial mirror does not hold the history either.
  if (present.some((name) => name.endsWith('.promisor'))) return null;
  const names = present.filter((name) => /^pack-.*\.(pack|idx|rev)$/.test(name));
  const directory = join(target, HISTORY);
  await mkdir(join(directory, 'objects', 'pack'), { recursive: true });
  let copied = 0;
  for (const name of names) {
    const [from, to] = [join(source, name), join(directory, 'objects', 'pack', name)];
    if (await tryLink(from, to)) continue;
    copied += (await stat(from)).size;
    if (copied > MAX_COPIED_BYTES) return null;
    await copyFile(from, to);
  }
  const config = { core: { repositoryformatversion: '0', bare: 'true' } };
  const { refs, path } = mirror;
  await writeRepository(directory, { head: 'refs/heads/none', config, refs, shallowAs: path });
  return HISTORY;
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return true;
    if (['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'].some((code) => hasErrno(error, code)))
      return false;
    throw error;
  }
}
