import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from './layout.ts';
import { deleteTree } from './remove-tree.ts';

/** Longer than any operation that keeps scratch files, so that nothing of a living worker is touched. */
const ABANDONED_MS = 60 * 60_000;

/** Deletes what killed workers left in the worker's own directories. Nothing in them is anybody's work. */
export async function clearLeftovers(layout: Layout): Promise<void> {
  // Whatever is in the trash was saved before it came there.
  for (const name of await namesIn(layout.trash)) await deleteTree(join(layout.trash, name));
  for (const name of await namesIn(layout.staging)) await deleteAbandoned(join(layout.staging, name));
  for (const name of await namesIn(layout.rescue)) {
    if (name.startsWith('.')) await deleteAbandoned(join(layout.rescue, name));
  }
}

/** Deletes a scratch file or directory that nobody has touched for an hour. */
export async function deleteAbandoned(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats !== null && Date.now() - stats.mtimeMs > ABANDONED_MS) await deleteTree(path);
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
