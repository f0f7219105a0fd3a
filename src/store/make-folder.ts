import { mkdirSync } from 'node:fs';
import { hasErrno } from '../errors/app-error.ts';

/** Makes a folder, and those above it, that only its owner may look into. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    // A recursive call says ENOENT for every refusal; a plain one says why.
    if (hasErrno(error, 'ENOENT')) mkdirSync(path, { mode: 0o700 });
    throw error;
  }
}
