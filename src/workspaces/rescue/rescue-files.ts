import { open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseForeignJson } from '../../domain/nesting.ts';
import { hasErrno, ifMissing } from '../../errors/app-error.ts';
import { deleteTree } from '../../process/helper/helper.ts';
import type { Layout } from '../files/layout.ts';
import { pathKind, readRegularFile, replaceFile } from '../files/path-safety.ts';
import type { Locks } from '../locks/locks.ts';
import { manifestSchema, type RescueManifest } from './manifest.ts';

const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/** Every complete rescue under a root, oldest first. A directory that lacks its manifest or a bundle is skipped. */
export async function readRescues(layout: Layout): Promise<RescueManifest[]> {
  const names = await readdir(layout.rescue).catch(ifMissing([]));
  const found = await Promise.all(
    names.filter((name) => !name.startsWith('.')).map((name) => readRescue(layout, name)),
  );
  return found
    .filter((manifest) => manifest !== null)
    .sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1));
}

export async function readRescue(layout: Layout, id: string): Promise<RescueManifest | null> {
  const text = await readRegularFile(join(layout.rescue, id, MANIFEST), MAX_MANIFEST_BYTES);
  if (text === null) return null;
  try {
    const parsed = manifestSchema.safeParse(parseForeignJson(text));
    if (!parsed.success || parsed.data.id !== id) return null;
    const { directory, parts } = parsed.data;
    for (const { bundle } of parts) {
      if ((await pathKind(join(layout.rescue, id, bundle))) !== 'other') return null;
    }
    // A kill right before the move leaves a manifest whose directory never came: its workspace is still in place.
    if (directory !== null && (await pathKind(join(layout.rescue, id, directory))) === 'missing') return null;
    return parsed.data;
  } catch {
    return null;
  }
}

/** Counts an earlier rescue of the same work as made now, so that its age does not end it right away. */
export async function renewRescue(layout: Layout, manifest: RescueManifest): Promise<string> {
  const directory = join(layout.rescue, manifest.id);
  await writeManifest(directory, { ...manifest, createdAt: new Date().toISOString() });
  return directory;
}

/** Notes in a rescue that it is kept beyond the limits, or no longer is. */
export async function setOverLimit(
  layout: Layout,
  manifest: RescueManifest,
  overLimit: boolean,
): Promise<void> {
  await writeManifest(join(layout.rescue, manifest.id), { ...manifest, overLimit });
}

/** Nobody else publishes, renews, marks or drops rescues meanwhile; a manifest is never written into one that leaves. */
export function withRescuesLock<T>(
  locks: Locks,
  layout: Layout,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return locks.run(join(layout.locks, 'rescues.lock'), 'keeping rescued work', signal, work);
}

/** Makes a rescue that was put together in `staging` visible, in one step and safe against a power cut. */
export async function publishRescue(
  layout: Layout,
  staging: string,
  manifest: RescueManifest,
): Promise<string> {
  for (const { bundle } of manifest.parts) await syncFile(join(staging, bundle));
  await writeManifest(staging, manifest);
  const target = join(layout.rescue, manifest.id);
  await rename(staging, target);
  return target;
}

export async function deleteRescue(layout: Layout, id: string): Promise<void> {
  const leaving = join(layout.rescue, `.leaving-${id}`);
  await rename(join(layout.rescue, id), leaving).catch((error: unknown) => {
    if (!hasErrno(error, 'ENOENT')) throw error;
  });
  await deleteTree(leaving);
}

async function writeManifest(directory: string, manifest: RescueManifest): Promise<void> {
  await replaceFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

export async function fileBytes(path: string): Promise<number> {
  return (await stat(path)).size;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
