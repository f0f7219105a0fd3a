import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathKind, readRegularFile, replaceFile } from '../files/path-safety.ts';

const MARK = "# The worker's own files.";
/** A plan is written for people and may be committed. */
const LINES = `${MARK}\n/.aiops/*\n!/.aiops/PLAN.md\n`;

/**
 * Keeps the worker's files out of commits through the repository's private exclude list; its hooks and its tracked
 * ignore files stay as they are. A list that is a link is left alone.
 */
export async function excludeOwnFiles(gitDirectory: string): Promise<void> {
  const info = join(gitDirectory, 'info');
  if ((await pathKind(info)) === 'missing') await mkdir(info);
  const path = join(info, 'exclude');
  if ((await pathKind(info)) !== 'directory' || (await pathKind(path)) === 'symlink') return;
  const existing = (await readRegularFile(path)) ?? '';
  if (existing.includes(MARK)) return;
  const separator = existing === '' || existing.endsWith('\n') ? '' : '\n';
  await replaceFile(path, existing + separator + LINES);
}
