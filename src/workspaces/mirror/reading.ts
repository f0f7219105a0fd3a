import { join } from 'node:path';
import { writeRepository } from '../git/write-repository.ts';
import type { Mirror } from './mirrors.ts';

/** What agents fetch from in place of the remote, with its branches under their own names. It holds no object itself. */
export function readingPath(mirrorPath: string): string {
  return join(mirrorPath, 'reading.git');
}

const BRANCHES = 'refs/remotes/origin/';

/** Makes what agents fetch show what the mirror has. Call it with the mirror's lock held. */
export async function updateReading({ path, refs }: Pick<Mirror, 'path' | 'refs'>): Promise<void> {
  const served = [...refs].flatMap(([name, id]): [string, string][] => {
    if (name === `${BRANCHES}HEAD`) return [];
    return [[name.startsWith(BRANCHES) ? `refs/heads/${name.slice(BRANCHES.length)}` : name, id]];
  });
  const names = new Set(served.map(([name]) => name));
  const head = ['refs/heads/main', 'refs/heads/master'].find((name) => names.has(name)) ?? 'refs/heads/main';
  await writeRepository(readingPath(path), {
    head,
    config: { core: { repositoryformatversion: '0', bare: 'true' }, gc: { auto: '0' } },
    borrows: [join(path, 'objects')],
    refs: served,
    shallowAs: path,
  });
}

/** What of a mirror an agent must be able to read; beside it lie the mirror's own refs and its address. */
export function borrowedFolders(mirrorPath: string): readonly string[] {
  return [join(mirrorPath, 'objects'), readingPath(mirrorPath)];
}
