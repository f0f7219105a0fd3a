import { readFileSync } from 'node:fs';
import { packageFile } from '../../process/package-file.ts';
import type { CommandOutline } from './outline.ts';

/** What the commands of this program are, as the build has written it from themselves; null in a program without the file, where the commands themselves have to say. */
export function readOutline(): CommandOutline | null {
  try {
    return JSON.parse(readFileSync(packageFile('dist/program/commands.json'), 'utf8')) as CommandOutline;
  } catch {
    return null;
  }
}
