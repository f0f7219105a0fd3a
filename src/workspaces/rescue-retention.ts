import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from './layout.ts';
import { pathKind } from './path-safety.ts';
import type { RescueManifest } from './rescue-manifest.ts';

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

/** A file that something else links to as well would not be freed, so it counts nothing. */
async function treeBytes(path: string): Promise<number> {
  const stats = await lstat(path);
  const size = stats.isFile() && stats.nlink > 1 ? 0 : stats.size;
  if ((await pathKind(path)) !== 'directory') return size;
  let total = 0;
  for (const name of await readdir(path)) total += await treeBytes(join(path, name));
  return total;
}
