import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '../../errors/app-error.ts';
import { readLinuxTable } from '../table/proc-linux.ts';
import { membersOf, moveInto, removeCgroup, subfoldersOf } from './cgroup-folder.ts';
import { readCgroupFolder, readCgroupMount } from './own-cgroup.ts';

/** Names start with the owner, so that what a killed worker left is found wherever its cgroup was. */
function namesOf(owner: string): string {
  return `aiops-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}-`;
}

/** A cgroup for one child of a worker, below the worker's own; null where the system does not let this user make one. */
export function makeRunCgroup(owner: string, own: string | null = ownCgroup()): string | null {
  if (own === null) return null;
  const folder = join(own, `${namesOf(owner)}${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(folder);
    return folder;
  } catch {
    return null;
  }
}

function ownCgroup(): string | null {
  const mount = readCgroupMount();
  return mount === null ? null : readCgroupFolder('self', mount);
}

/** Moves a child that has just been started into its cgroup, with whatever it started meanwhile. False when refused. */
export function enterRunCgroup(folder: string, pid: number): boolean {
  if (!moveInto(folder, pid)) return false;
  for (let left = early(folder, pid); left.length > 0; left = early(folder, pid)) {
    // One that cannot be moved has ended, or never can be: another look would find the same.
    if (!left.some((child) => moveInto(folder, child))) break;
  }
  return true;
}

/** Descendants that are outside because they were started before the child was moved. */
function early(folder: string, pid: number): readonly number[] {
  const inside = new Set([...membersOf(folder), pid]);
  const rows = readLinuxTable().filter((row) => !row.zombie && !inside.has(row.pid));
  return rows.filter((row) => inside.has(row.parentPid)).map((row) => row.pid);
}

/** Tells the cgroup of a child of this owner that a process is in, however deep; null when it is in none. */
export function runCgroupFinder(owner: string): (pid: number) => string | null {
  const mount = readCgroupMount();
  const start = namesOf(owner);
  return (pid) => {
    const parts = (mount === null ? null : readCgroupFolder(pid, mount))?.split('/') ?? [];
    const index = parts.findIndex((part) => part.startsWith(start));
    return index === -1 ? null : parts.slice(0, index + 1).join('/');
  };
}

/** Removes the empty cgroups that a killed worker of this owner left: those named, and those beside where ours would be. */
export async function removeLeftCgroups(
  owner: string,
  named: Iterable<string>,
  own: string | null = ownCgroup(),
): Promise<void> {
  const beside = own === null ? [] : subfoldersOf(own);
  const left = beside.filter((folder) => basename(folder).startsWith(namesOf(owner)));
  for (const folder of new Set([...named, ...left])) await removeCgroup(folder);
}

/** Where children get their cgroups, or why they have none. Makes one and removes it again. */
export async function probeCgroups(): Promise<{ readonly own: string } | { readonly why: string }> {
  const mount = readCgroupMount();
  if (mount === null) return { why: 'the system has no control groups of version 2' };
  const own = readCgroupFolder('self', mount);
  if (own === null) return { why: 'the cgroup of this process cannot be seen' };
  const folder = join(own, `aiops-probe-${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(folder);
    // A process is moved by who may write to both, the cgroup that it leaves and the one that it enters.
    for (const place of [own, folder]) accessSync(join(place, 'cgroup.procs'), constants.W_OK);
    return { own };
  } catch (error) {
    return { why: `this user may not make one in ${own} (${messageOf(error)})` };
  } finally {
    await removeCgroup(folder);
  }
}
