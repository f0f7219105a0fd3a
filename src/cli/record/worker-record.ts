import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../config/read/environment.ts';
import { stateFolderOf, stateHome } from '../../config/roots/state-folder.ts';
import { ensurePrivateFolder } from '../../process/private-folder.ts';
import { isAlive } from '../../process/table/process-identity.ts';

const RECORD = 'worker.json';
const MAX_RECORD_BYTES = 64 * 1024;

/** What a running worker tells the commands of its user. */
const recordSchema = z.object({
  format: z.literal(1),
  /** Of the program. */
  version: z.string(),
  /** New at each start; the worker itself tells the same. */
  instance: z.string(),
  pid: z.int().positive(),
  /** With the pid it names one process for good. */
  start_time: z.string(),
  started_at: z.string(),
  /** Absolute, its folder without symbolic links. */
  workflow_path: z.string(),
  /** Null while nothing listens. */
  url: z.string().nullable(),
  /** Opens the API for reading and acting. */
  token: z.string(),
});

export type WorkerRecord = z.infer<typeof recordSchema>;

export function recordPathOf(workflowPath: string, environment: Environment): string {
  return join(stateFolderOf(workflowPath, environment), RECORD);
}

/** Replaces the record as a whole; only its owner may read it, from the first byte on. */
export async function writeRecord(record: WorkerRecord, environment: Environment): Promise<void> {
  const folder = stateFolderOf(record.workflow_path, environment);
  await ensurePrivateFolder(folder);
  const path = join(folder, RECORD);
  const fresh = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const file = await open(fresh, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(record, null, 2)}\n`);
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Takes the record away, unless a later worker has replaced it, and the folder when nothing else is in it. */
export async function removeRecord(record: WorkerRecord, environment: Environment): Promise<void> {
  const folder = stateFolderOf(record.workflow_path, environment);
  const path = join(folder, RECORD);
  const found = await readRecord(path);
  if (found?.instance !== record.instance) return;
  await rm(path, { force: true });
  await rmdir(folder).catch(() => {});
}

/** The record of the worker that runs for a workflow now; null when none does. */
export async function findRecord(
  workflowPath: string,
  environment: Environment,
): Promise<WorkerRecord | null> {
  return readLive(recordPathOf(workflowPath, environment));
}

/** The workers of this user that run now. */
export async function listRecords(environment: Environment): Promise<readonly WorkerRecord[]> {
  const home = stateHome(environment);
  const folders = await readdir(home).catch(() => []);
  const found = await Promise.all(folders.map((name) => readLive(join(home, name, RECORD))));
  return found.filter((record) => record !== null);
}

/** A worker that was killed leaves its record behind: it counts only while exactly that process lives. */
async function readLive(path: string): Promise<WorkerRecord | null> {
  const record = await readRecord(path);
  if (record === null) return null;
  return (await isAlive({ pid: record.pid, startTime: record.start_time })) ? record : null;
}

/** Null for anything that no worker of this user wrote. */
async function readRecord(path: string): Promise<WorkerRecord | null> {
  const facts = await lstat(path).catch(() => null);
  if (facts?.isFile() !== true || facts.size > MAX_RECORD_BYTES) return null;
  if (process.getuid !== undefined && facts.uid !== process.getuid()) return null;
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    return recordSchema.safeParse(JSON.parse(await file.readFile('utf8'))).data ?? null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
