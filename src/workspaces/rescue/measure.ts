import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from '../files/layout.ts';
import type { RescueManifest } from './manifest.ts';
import type { SizedRescue } from './retention.ts';

const BLOCK_BYTES = 512;

/** A file with several names, as it was met. */
interface Shared {
  readonly bytes: number;
  readonly names: number;
  met: number;
  /** The last rescue it was met in. */
  holder: number;
}

/**
 * What rescues, oldest first, take on disk: blocks of files and folders. A file that several of them link to counts
 * once, for the newest; one that is linked from elsewhere too, as the mirror's packs are, counts for nothing, since
 * deleting a rescue would not free it.
 */
export async function measureRescues(
  layout: Layout,
  manifests: readonly RescueManifest[],
): Promise<SizedRescue[]> {
  const shared = new Map<string, Shared>();
  const totals: number[] = [];
  for (const [index, { id }] of manifests.entries())
    totals.push(await treeBytes(join(layout.rescue, id), index, shared));
  for (const { bytes, names, met, holder } of shared.values())
    if (met >= names) totals[holder] = (totals[holder] ?? 0) + bytes;
  return manifests.map((manifest, index) => ({ manifest, bytes: totals[index] ?? 0 }));
}

/** Names are bytes; folders deeper than a path may be long are left out. */
async function treeBytes(root: string, holder: number, shared: Map<string, Shared>): Promise<number> {
  let total = 0;
  const waiting = [Buffer.from(root)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const folder = path;
    const stats = await lstat(folder).catch(() => null);
    if (stats === null) continue;
    const bytes = stats.blocks * BLOCK_BYTES;
    if (stats.isDirectory()) {
      const names = await readdir(folder, { encoding: 'buffer' }).catch(() => []);
      for (const name of names) waiting.push(Buffer.concat([folder, Buffer.from('/'), name]));
    }
    if (stats.isDirectory() || stats.nlink === 1) {
      total += bytes;
      continue;
    }
    const key = `${stats.dev}:${stats.ino}`;
    const known = shared.get(key) ?? { bytes, names: stats.nlink, met: 0, holder };
    known.met += 1;
    known.holder = holder;
    shared.set(key, known);
  }
  return total;
}
