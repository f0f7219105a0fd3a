import { hasErrno } from '../../errors/app-error.ts';
import { readProcessRow } from './process-table.ts';

/** Names one process for good: a pid is given out again, a pid with its start time is not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The kernel's own; opaque, comparable only for equality. */
  readonly startTime: string;
}

/** Null when no such process runs; an ended one that nobody collected yet (a zombie) does not run. */
export async function readIdentity(pid: number): Promise<ProcessIdentity | null> {
  if (!isPid(pid)) return null;
  const row = await readProcessRow(pid);
  return row === null || row.zombie ? null : { pid, startTime: row.startTime };
}

/** True while exactly this process runs. One that exists but may not be looked at counts as alive. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (!isPid(identity.pid)) return false;
  const row = await readProcessRow(identity.pid);
  if (row === null) return exists(identity.pid);
  return !row.zombie && row.startTime === identity.startTime;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrno(error, 'EPERM');
  }
}

function isPid(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0;
}
