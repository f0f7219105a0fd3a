import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasErrno } from '../../errors/app-error.ts';
import { removeFile } from '../../process/files/remove-file.ts';
import { readRegularFile, replaceFile } from '../files/path-safety.ts';
import { isPackFile, sumIsRight } from './object-files.ts';

const NAME = 'aiops-packs.json';
const MAX_RECORD_BYTES = 4 * 1024 * 1024;
/** What is summed up again at one look, when its time changed: reading more would keep a dispatch waiting. */
const MAX_SUMMED_BYTES = 512 * 1024 * 1024;

/** Why a mirror is replaced without anything of it being taken over. */
export const ANOTHER_REPOSITORY = 'it is of another repository';

const recordSchema = z.object({
  version: z.literal(1),
  /** `host/path` of the repository. */
  repository: z.string(),
  /** Files in `objects/pack`, by name. */
  files: z.record(z.string(), z.object({ size: z.number(), mtimeMs: z.number() })),
});

type PackFiles = z.infer<typeof recordSchema>['files'];

/** What a mirror is known to consist of, compared with what is on disk. `unknown`: there is no record to compare with. */
export type PackFinding =
  | { readonly kind: 'as_recorded'; readonly state: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'damaged'; readonly reason: string };

/**
 * Whether every pack a mirror had is still there as it was, without a git process. Packs never change, but git touches
 * them; so one with another time is summed up and compared with the sum that stands at its end.
 */
export async function comparePacks(mirror: string, repository: string): Promise<PackFinding> {
  const text = await readRegularFile(join(mirror, NAME), MAX_RECORD_BYTES);
  const record = parseRecord(text);
  if (text === null || record === null) return { kind: 'unknown' };
  if (record.repository !== repository) return damaged(ANOTHER_REPOSITORY);
  let left = MAX_SUMMED_BYTES;
  for (const [name, known] of Object.entries(record.files)) {
    const path = join(mirror, 'objects', 'pack', name);
    const stats = await lookAt(path);
    if (stats === null) return damaged(`${name} is gone`);
    if (stats.size !== known.size)
      return damaged(`${name} has ${stats.size} bytes where it had ${known.size}`);
    if (stats.mtimeMs === known.mtimeMs || stats.size > left) continue;
    left -= stats.size;
    if (!(await sumIsRight(path, stats.size))) return damaged(`${name} does not match its checksum`);
  }
  return { kind: 'as_recorded', state: text };
}

/** Takes down what is there now. Call it with the mirror's lock held, and the mirror in order. */
export async function recordPacks(mirror: string, repository: string): Promise<void> {
  const folder = join(mirror, 'objects', 'pack');
  const files: PackFiles = {};
  for (const name of (await readdir(folder)).sort()) {
    if (!isPackFile(name)) continue;
    const stats = await lookAt(join(folder, name));
    if (stats !== null) files[name] = { size: stats.size, mtimeMs: stats.mtimeMs };
  }
  const text = `${JSON.stringify({ version: 1, repository, files })}\n`;
  const path = join(mirror, NAME);
  if ((await readRegularFile(path, MAX_RECORD_BYTES)) !== text) await replaceFile(path, text);
}

/** To be called before packs are replaced by others on purpose: a kill in between must not look like damage. */
export function forgetPacks(mirror: string): Promise<void> {
  return removeFile(join(mirror, NAME));
}

function parseRecord(text: string | null): z.infer<typeof recordSchema> | null {
  if (text === null) return null;
  try {
    const parsed = recordSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

async function lookAt(path: string): Promise<Stats | null> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? stats : null;
  } catch (error) {
    if (hasErrno(error, 'ENOENT') || hasErrno(error, 'ENOTDIR')) return null;
    throw error;
  }
}

function damaged(reason: string): PackFinding {
  return { kind: 'damaged', reason };
}
