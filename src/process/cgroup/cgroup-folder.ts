import { readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** An agent may make cgroups inside of its own; beyond this many they are left to the next look. */
const MAX_NESTED = 1_000;
const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 10;

/** Moves a process in; what it starts from then on is in it too. False when the system refuses. */
export function moveInto(folder: string, pid: number): boolean {
  try {
    writeFileSync(join(folder, 'cgroup.procs'), `${pid}`);
    return true;
  } catch {
    return false;
  }
}

/** Everyone in the cgroup and in those below it. */
export function membersOf(folder: string): ReadonlySet<number> {
  return new Set(nestedFolders(folder).flatMap(procsOf));
}

/**
 * Ends everyone in it at once, so that nobody can fork away meanwhile. Not when one of `spared` is in it: an agent with the
 * rights of this user can move others into its cgroup.
 */
export function killMembers(folder: string, spared: ReadonlySet<number>): void {
  if ([...membersOf(folder)].some((pid) => spared.has(pid))) return;
  try {
    writeFileSync(join(folder, 'cgroup.kill'), '1');
  } catch {
    // Before Linux 5.14 there is no such file; the caller signals each process as well.
  }
}

/** Removes an empty cgroup and those below it; true when it is gone. One that still has a process stays. */
export async function removeCgroup(folder: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    // The innermost come last, and have to go first.
    for (const nested of [...nestedFolders(folder)].reverse()) removeEmpty(nested);
    if (!exists(folder)) return true;
    if (tries === REMOVE_TRIES) return false;
    await delay(REMOVE_PAUSE_MS);
  }
}

/** The folder itself and every folder below it, outer ones first. */
function nestedFolders(folder: string): readonly string[] {
  const found = [folder];
  for (let index = 0; index < found.length && found.length < MAX_NESTED; index += 1) {
    found.push(...subfoldersOf(found[index] ?? folder));
  }
  return found;
}

export function subfoldersOf(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

function procsOf(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Gone already, or somebody is still in it.
  }
}

function exists(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
