import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from '../layout.ts';
import type { RescueManifest } from './manifest.ts';

/** How long and how much rescued work is kept. */
export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

const DAY_MS = 24 * 60 * 60_000;
export const DEFAULT_RETENTION: Retention = { maxAgeMs: 90 * DAY_MS, maxBytes: 10 * 1024 ** 3 };

/** A rescue and what it takes on disk. */
export interface SizedRescue {
  readonly manifest: RescueManifest;
  readonly bytes: number;
}

/**
 * Which rescues go: those over age, then the oldest until the rest fits. `rescues` are oldest first. The newest always
 * stays within the size limit's reach: however large, it is never dropped for size.
 */
export function choosePruned(
  rescues: readonly SizedRescue[],
  retention: Retention,
  now: number,
): SizedRescue[] {
  const tooOld = rescues.filter(({ manifest }) => now - Date.parse(manifest.createdAt) > retention.maxAgeMs);
  const young = rescues.filter((rescue) => !tooOld.includes(rescue));
  const pruned = [...tooOld];
  let total = young.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const rescue of young.slice(0, -1)) {
    if (total <= retention.maxBytes) break;
    total -= rescue.bytes;
    pruned.push(rescue);
  }
  return pruned;
}

export async function measureRescue(layout: Layout, manifest: RescueManifest): Promise<SizedRescue> {
  return { manifest, bytes: await treeBytes(join(layout.rescue, manifest.id)) };
}

const BLOCK_BYTES = 512;

/**
 * What deleting a tree would free: a file that something else links to as well would not be. Holes count for nothing.
 * Names are bytes; folders deeper than a path may be long are left out.
 */
async function treeBytes(root: string): Promise<number> {
  let total = 0;
  const waiting = [Buffer.from(root)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const folder = path;
    const stats = await lstat(folder).catch(() => null);
    if (stats === null) continue;
    if (!stats.isDirectory()) {
      const held = Math.min(stats.size, stats.blocks * BLOCK_BYTES);
      total += stats.isFile() && stats.nlink > 1 ? 0 : held;
      continue;
    }
    const names = await readdir(folder, { encoding: 'buffer' }).catch(() => []);
    for (const name of names) waiting.push(Buffer.concat([folder, Buffer.from('/'), name]));
  }
  return total;
}
