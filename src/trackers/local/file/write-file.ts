import { linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasErrno } from '../../../errors/app-error.ts';

/** The name of an issue's file. */
export function fileName(id: string): string {
  return `${id}.md`;
}

/**
 * Where a file is for the few microseconds in which it is replaced. If a crash leaves it there, readers still find it
 * and the next write puts it back.
 */
export function asidePath(path: string): string {
  return join(dirname(path), `.${basename(path)}.aside`);
}

/**
 * Replaces a file's text if it still is `expected`; false, and nothing done, when somebody else wrote it meanwhile.
 * Editors take no lock, and renaming over a file would drop what one saved a moment before. So the file is first taken
 * aside, whatever it is by then, looked at, and the new one put in place only if the name is still free.
 */
export async function replaceFile(
  path: string,
  expected: string,
  text: string,
  mode: number,
): Promise<boolean> {
  const temporary = await writeTemporary(path, text, mode);
  const aside = asidePath(path);
  try {
    if (!tryRename(path, aside)) return false;
    const replaced = readFileSync(aside, 'utf8') === expected && tryLink(temporary, path);
    // If it is not ours to replace, it goes back, unless the name is taken again: then what is there is newer.
    if (!replaced) tryLink(aside, path);
    rmSync(aside);
    return replaced;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Puts back what a crash left aside. Only under the folder's lock. */
export function restoreAside(path: string): void {
  const aside = asidePath(path);
  try {
    tryLink(aside, path);
    rmSync(aside);
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error;
  }
}

/** Creates a file with its whole text at once; false when the name is taken. */
export async function createFile(path: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(path, text, null);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

/** The name is fixed, so a crash leaves at most one, which the next write removes; the dot hides it from listings. */
async function writeTemporary(path: string, text: string, mode: number | null): Promise<string> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx');
  try {
    if (mode !== null) await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}
