import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renderGitConfig } from '../git/config-text.ts';
import { pathKind, readRegularFile, replaceFile } from '../ownership/path-safety.ts';
import type { Mirror } from './mirrors.ts';

/** What agents fetch from in place of the remote, with its branches under their own names. It holds no object itself. */
export function readingPath(mirrorPath: string): string {
  return join(mirrorPath, 'reading.git');
}

const BRANCHES = 'refs/remotes/origin/';

/** Makes what agents fetch show what the mirror has. Call it with the mirror's lock held. */
export async function updateReading({ path, refs }: Pick<Mirror, 'path' | 'refs'>): Promise<void> {
  const reading = readingPath(path);
  await mkdir(join(reading, 'objects', 'info'), { recursive: true });
  await mkdir(join(reading, 'refs', 'heads'), { recursive: true });
  const served = [...refs].flatMap(([name, id]): [string, string][] => {
    if (name === `${BRANCHES}HEAD`) return [];
    return [[name.startsWith(BRANCHES) ? `refs/heads/${name.slice(BRANCHES.length)}` : name, id]];
  });
  const names = new Set(served.map(([name]) => name));
  const head = ['refs/heads/main', 'refs/heads/master'].find((name) => names.has(name)) ?? 'refs/heads/main';
  const files: Readonly<Record<string, string>> = {
    HEAD: `ref: ${head}\n`,
    config: renderGitConfig({ core: { repositoryformatversion: '0', bare: 'true' }, gc: { auto: '0' } }),
    [join('objects', 'info', 'alternates')]: `${join(path, 'objects')}\n`,
    'packed-refs': served.map(([name, id]) => `${id} ${name}\n`).join(''),
  };
  const shallow = join(path, 'shallow');
  const boundary = (await pathKind(shallow)) === 'other' ? await readRegularFile(shallow) : null;
  const all = boundary === null ? files : { ...files, shallow: boundary };
  for (const [name, content] of Object.entries(all)) {
    const file = join(reading, name);
    if ((await readRegularFile(file, content.length + 1)) !== content) await replaceFile(file, content);
  }
}

/** What of a mirror an agent must be able to read; beside it lie the mirror's own refs and its address. */
export function borrowedFolders(mirrorPath: string): readonly string[] {
  return [join(mirrorPath, 'objects'), readingPath(mirrorPath)];
}
