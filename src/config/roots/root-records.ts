import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { parseForeignJson } from '../../domain/nesting.ts';
import { AppError } from '../../errors/app-error.ts';
import { findRootConflict, type RootUse } from './shared-roots.ts';

/** The worker's own directory under a root, and the records in it. */
const OWN_FOLDER = '.aiops';
const RECORDS = join(OWN_FOLDER, 'workers');
const MAX_RECORD_LENGTH = 16 * 1024;

const recordSchema = z.object({
  version: z.literal(1),
  pid: z.int().positive(),
  startTime: z.string(),
  /** Milliseconds since the epoch, for people. */
  since: z.number().min(0).max(8.64e15),
  workflowPath: z.string(),
  scope: z.string(),
  workspaceRoot: z.string(),
  mirrorRoot: z.string().nullable(),
});

type RootRecord = z.infer<typeof recordSchema>;

export interface ClaimRootsOptions {
  readonly use: RootUse;
  /** This process, named so that a later one with its pid is not taken for it. */
  readonly self: { readonly pid: number; readonly startTime: string };
  readonly now: number;
  isAlive(process: { readonly pid: number; readonly startTime: string }): Promise<boolean>;
  /** Runs the work while no other worker of this user claims roots. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

export interface RootClaim {
  /** Takes the record away. */
  release(): Promise<void>;
}

/**
 * Leaves a record of this worker in its roots (creating them) and refuses, with `shared_root` or
 * `worker_already_running`, when a live worker's record shows that the two would harm each other.
 * Records of dead workers are removed on the way.
 *
 * The record is written before the others are read, so of two that could not keep out of each other's way at least one
 * is refused, whatever their clocks say.
 */
export function claimRoots(options: ClaimRootsOptions): Promise<RootClaim> {
  return options.exclusively(() => claimAlone(options));
}

async function claimAlone(options: ClaimRootsOptions): Promise<RootClaim> {
  const use = await withRealRoots(options.use);
  const own: RootRecord = { version: 1, ...options.self, since: options.now, ...use };
  const files = [...new Set([use.workspaceRoot, use.mirrorRoot ?? use.workspaceRoot])].map((root) =>
    join(root, RECORDS, `${own.pid}.json`),
  );
  const release = async () => {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  };
  for (const file of files) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  }
  for (const other of await liveRecords(use, options)) {
    const conflict = other.pid === own.pid ? null : findRootConflict(own, other);
    if (conflict === null) continue;
    await release();
    const since = new Date(other.since).toISOString();
    throw new AppError(conflict.code, `${conflict.message} (worker with pid ${other.pid}, since ${since})`, {
      hint: conflict.hint,
      context: { pid: other.pid, workflow: other.workflowPath },
    });
  }
  return { release };
}

/** Records in the roots themselves, in the directories above them and in the roots directly below them. */
async function liveRecords(use: RootUse, options: ClaimRootsOptions): Promise<RootRecord[]> {
  const roots = [use.workspaceRoot, ...(use.mirrorRoot === null ? [] : [use.mirrorRoot])];
  const places = new Set(roots.flatMap((root) => [root, ...ancestors(root)]));
  const above = await Promise.all([...places].map((place) => readRecords(place, () => true, options)));
  const below = await Promise.all(roots.map((root) => recordsBelow(root, options)));
  return [...above, ...below].flat();
}

/** A workspace is an agent's to write, so nothing in one counts; a nested root is known by naming itself. */
async function recordsBelow(root: string, options: ClaimRootsOptions): Promise<RootRecord[]> {
  const owned = new Set(await list(join(root, OWN_FOLDER, 'owners')));
  const names = (await list(root)).filter(
    (name) => !owned.has(`${name.toLowerCase()}.json`) && name !== OWN_FOLDER,
  );
  const found = await Promise.all(
    names.map((name) => {
      const place = join(root, name);
      return readRecords(
        place,
        ({ workspaceRoot, mirrorRoot }) => [workspaceRoot, mirrorRoot].includes(place),
        options,
      );
    }),
  );
  return found.flat();
}

async function readRecords(
  root: string,
  counts: (record: RootRecord) => boolean,
  options: ClaimRootsOptions,
): Promise<RootRecord[]> {
  const folder = join(root, RECORDS);
  const records: RootRecord[] = [];
  for (const name of await list(folder)) {
    const file = join(folder, name);
    const record = parse(await readFile(file, 'utf8').catch(() => ''));
    if (record === null || !counts(record) || name !== `${record.pid}.json`) continue;
    if (await options.isAlive(record)) records.push(record);
    else await rm(file, { force: true }).catch(() => {});
  }
  return records;
}

function parse(text: string): RootRecord | null {
  if (text.length > MAX_RECORD_LENGTH) return null;
  try {
    return recordSchema.safeParse(parseForeignJson(text)).data ?? null;
  } catch {
    return null;
  }
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestors(parent)];
}

async function withRealRoots(use: RootUse): Promise<RootUse> {
  return {
    ...use,
    workspaceRoot: await realRoot(use.workspaceRoot),
    mirrorRoot: use.mirrorRoot === null ? null : await realRoot(use.mirrorRoot),
  };
}

/** Without symbolic links, also where the last parts do not exist yet. */
async function realRoot(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realRoot(parent), basename(path));
  }
}
