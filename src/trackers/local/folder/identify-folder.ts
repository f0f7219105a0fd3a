import { stat } from 'node:fs/promises';
import { folderError } from './folder-error.ts';

/** Tells a folder from another one that takes its place. Throws when there is none. */
export async function identifyFolder(path: string): Promise<string> {
  try {
    const stats = await stat(path, { bigint: true });
    if (!stats.isDirectory()) throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
    return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
  } catch (error) {
    throw folderError(path, error);
  }
}
