import { constants, existsSync, readFileSync } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FolderFacts } from '../../doctor/effects.ts';
import { hasErrno, messageOf } from '../../errors/app-error.ts';

/** What could be written at a path, found without writing. */
export async function inspectFolder(path: string): Promise<FolderFacts> {
  let nearest = path;
  while (!(await isPresent(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  return { nearest, exists: nearest === path, problem: await whyUnwritable(nearest) };
}

async function whyUnwritable(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'it is no folder';
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return hasErrno(error, 'EACCES') ? 'this user may not write there' : messageOf(error);
  }
}

export async function isPresent(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (hasErrno(error, 'ENOENT') || hasErrno(error, 'ENOTDIR')) return null;
    throw error;
  });
  return found !== null;
}

/** The path without symbolic links, as far as it exists. */
export async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realPath(dirname(path)), basename(path));
}

/** What git would find at a path that it is to clone from. Nothing of it is run. */
export async function isRepository(path: string): Promise<'repository' | 'folder' | 'file' | 'missing'> {
  for (const candidate of [path, `${path}.git`]) {
    const found = await stat(candidate).catch(() => null);
    if (found === null) continue;
    if (!found.isDirectory()) return candidate.endsWith('.bundle') ? 'repository' : 'file';
    if (await isPresent(join(candidate, '.git'))) return 'repository';
    const bare = await Promise.all(['HEAD', 'objects'].map((name) => isPresent(join(candidate, name))));
    if (bare.every(Boolean)) return 'repository';
    if (candidate === path && !(await isPresent(`${path}.git`))) return 'folder';
  }
  return 'missing';
}

/** Empty when it cannot be read. */
export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** The version of the package that a file belongs to. Nothing of it is run. */
export function packageVersionOf(file: string): string {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const value: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    const version: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, 'version') : null;
    if (typeof version === 'string') return version;
  }
  return 'of an unknown version';
}
