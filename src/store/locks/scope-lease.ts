import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { areApart, type ScopeUse } from '../../config/roots/tracker-scope.ts';
import { parseForeignJson } from '../../domain/nesting.ts';
import { AppError } from '../../errors/app-error.ts';
import { acquireFileLock, holderIn, type LockHolder, readLockHolder } from '../../process/locks/file-lock.ts';
import { scopeKey } from '../journal-path.ts';

export interface ScopeLeaseOptions {
  /** The folder of all leases of this user on this machine, absolute. */
  readonly folder: string;
  readonly use: ScopeUse;
  /** Shown to whoever is refused. */
  readonly workflowPath: string;
  /** Leases of this very process, from before an edit of its workflow. */
  readonly own?: readonly string[];
}

export interface ScopeLease {
  readonly path: string;
  release(): Promise<void>;
}

/** How long two workers that start at once wait for each other. */
const GATE_WAIT_MS = 10_000;
const MAX_NOTE_BYTES = 64 * 1024;

const noteSchema = z.object({
  workflowPath: z.string(),
  use: z.object({
    kind: z.string(),
    place: z.string(),
    activeStates: z.array(z.string()),
    requiredLabels: z.array(z.string()),
    assignee: z.string().nullable(),
    teamKey: z.string().nullable(),
    hasOneAssignee: z.boolean().optional(),
  }),
});
type Note = z.infer<typeof noteSchema>;

/**
 * Makes this process the only worker of this user and machine that works on these issues, wherever their workspaces are.
 * Rejects with `setup_broken`, naming the other; the lease of a worker that was killed is taken over.
 */
export async function acquireScopeLease(options: ScopeLeaseOptions): Promise<ScopeLease> {
  const { use, workflowPath } = options;
  const folder = join(options.folder, scopeKey(use.place));
  const note = JSON.stringify({ workflowPath, use });
  const name = scopeKey(note);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const gate = await acquireFileLock(join(folder, 'gate'), {
    purpose: 'starting a worker',
    waitMs: GATE_WAIT_MS,
  });
  try {
    await dropNotesOfTheDead(folder);
    const other = await findOverlap(folder, name, options);
    if (other !== null) throw taken(other, options);
    await writeFile(join(folder, `${name}.json`), `${note}\n`, { mode: 0o600 });
    return await acquireFileLock(join(folder, `${name}.lock`), { purpose: workflowPath });
  } catch (error) {
    const holder = holderIn(error);
    if (holder === null) throw error;
    throw taken({ holder, workflowPath }, options);
  } finally {
    await gate.release();
  }
}

export interface ScopeHolder {
  readonly holder: LockHolder;
  /** The workflow of the other worker. */
  readonly workflowPath: string;
}

/** The live worker whose issues overlap with these, for somebody who only looks; null when there is none. */
export async function findScopeHolder(options: ScopeLeaseOptions): Promise<ScopeHolder | null> {
  return findOverlap(join(options.folder, scopeKey(options.use.place)), null, options);
}

/** What stands in the way of a worker, in words and with what to do. */
export function describeScopeHolder(
  { holder, workflowPath }: ScopeHolder,
  place: string,
): { readonly text: string; readonly fix: string } {
  return {
    text:
      `Another worker works on the same issues (${place}): process ${holder.pid} on ` +
      `${holder.host}, since ${holder.since}, with ${workflowPath}. Each issue would be worked on twice.`,
    fix:
      `Stop the other one (kill ${holder.pid}), or let the two workflows have nothing in common: other tracker.active_states, ` +
      'a label of its own in tracker.required_labels of each, or another tracker.assignee or team_key.',
  };
}

async function findOverlap(
  folder: string,
  own: string | null,
  options: ScopeLeaseOptions,
): Promise<ScopeHolder | null> {
  for (const [name, path] of await leasesIn(folder)) {
    if (name === own || options.own?.includes(path) === true) continue;
    const holder = await readLockHolder(path);
    if (holder === null) continue;
    const note = await readNote(join(folder, `${name}.json`));
    if (note !== null && areApart(note.use, options.use)) continue;
    return { holder, workflowPath: note?.workflowPath ?? holder.purpose };
  }
  return null;
}

async function dropNotesOfTheDead(folder: string): Promise<void> {
  for (const [name, path] of await leasesIn(folder))
    if ((await readLockHolder(path)) === null) await rm(join(folder, `${name}.json`), { force: true });
}

async function leasesIn(folder: string): Promise<(readonly [string, string])[]> {
  const files = await readdir(folder).catch((): string[] => []);
  return files
    .filter((file) => /^[0-9a-f]{16}\.lock$/.test(file))
    .map((file) => [file.slice(0, -'.lock'.length), join(folder, file)]);
}

async function readNote(path: string): Promise<Note | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.length > MAX_NOTE_BYTES) return null;
  try {
    return noteSchema.safeParse(parseForeignJson(text)).data ?? null;
  } catch {
    return null;
  }
}

function taken(other: ScopeHolder, { use, workflowPath }: ScopeLeaseOptions): AppError {
  const { text, fix } = describeScopeHolder(other, use.place);
  const { pid, host } = other.holder;
  return new AppError('setup_broken', `the worker does not start. ${text}`, {
    hint: fix,
    context: { pid, host, workflow: other.workflowPath, own: workflowPath },
  });
}
