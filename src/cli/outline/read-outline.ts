import { readFileSync } from 'node:fs';
import { packageFile } from '../../process/package-file.ts';
import type { CommandOutline } from './outline.ts';

/** Written by the build, from the commands themselves. */
const FILE = 'dist/program/commands.json';

/** What the commands of this program are; null in a program without the file, where the commands themselves have to say. */
export function readOutline(): CommandOutline | null {
  try {
    return JSON.parse(readFileSync(packageFile(FILE), 'utf8')) as CommandOutline;
  } catch {
    return null;
  }
}
