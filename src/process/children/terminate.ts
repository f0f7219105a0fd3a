import { setTimeout as delay } from 'node:timers/promises';
import { AppError, hasErrno } from '../../errors/app-error.ts';
import { killMembers } from '../cgroup/cgroup-folder.ts';
import type { ProcessRow } from '../table/process-row.ts';
import { readProcessTable } from '../table/process-table.ts';
import { findTree, type ProcessTree, selfAndAncestors } from '../tree/descendants.ts';
import type { TerminateGrace } from './child.ts';
import { settledWithin } from './settled-within.ts';

/** What the kill ladder needs to know about a child. */
export interface TerminateTarget {
  readonly tree: ProcessTree;
  /** Looks for the tree's processes; in this process unless given. */
  find?(tree: ProcessTree, known: readonly ProcessRow[]): Promise<ProcessRow[]>;
  /** Settles when the root itself has ended. */
  readonly exited: Promise<unknown>;
  hasExited(): boolean;
  endInput(): void;
}

export const DEFAULT_GRACE: TerminateGrace = { inputEndMs: 2_000, termMs: 5_000 };

/** How long SIGKILL may take before a process counts as unkillable (stuck in the kernel, or another user's). */
const KILL_DEADLINE_MS = 10_000;
const FIRST_POLL_MS = 5;
const MAX_POLL_MS = 100;

/**
 * Ends a whole process tree: stdin end, SIGTERM, SIGKILL, each after its grace, and resolves once no member is alive.
 * Rejects with `agent_failed` when a member outlives SIGKILL.
 */
export async function terminateTree(target: TerminateTarget, grace: TerminateGrace): Promise<void> {
  const { tree, exited, find = findTree } = target;
  const scan: Scan = (known) => find(tree, known);
  // Before the root may end: afterwards a descendant that cleared its environment has no tie to it left.
  let alive = await scan([]);
  if (!target.hasExited()) {
    target.endInput();
    await settledWithin(exited, grace.inputEndMs);
    alive = await scan(alive);
  }
  if (alive.length === 0) return;
  signalTree(tree, alive, 'SIGTERM');
  const deadline = performance.now() + grace.termMs;
  // Its exit is announced, so the scans only begin after it.
  if (!target.hasExited()) await settledWithin(exited, grace.termMs);
  alive = await pollUntilGone(scan, alive, deadline - performance.now());
  if (alive.length === 0) return;
  if (tree.cgroup != null) killMembers(tree.cgroup, selfAndAncestors(await readProcessTable()));
  alive = await pollUntilGone(scan, alive, KILL_DEADLINE_MS, (rows) => signalTree(tree, rows, 'SIGKILL'));
  if (alive.length > 0) throw unkillable(alive);
}

/** Finds live processes anew, counting those known from an earlier scan. */
type Scan = (known: readonly ProcessRow[]) => Promise<ProcessRow[]>;

/** Scans until nobody is left or time is up; `onAlive` sees the survivors of each scan. */
export async function pollUntilGone(
  scan: Scan,
  known: readonly ProcessRow[],
  withinMs: number,
  onAlive?: (rows: readonly ProcessRow[]) => void,
): Promise<ProcessRow[]> {
  const deadline = performance.now() + withinMs;
  let alive = await scan(known);
  for (let pause = FIRST_POLL_MS; alive.length > 0; pause = Math.min(pause * 2, MAX_POLL_MS)) {
    onAlive?.(alive);
    const left = deadline - performance.now();
    if (left <= 0) break;
    await delay(Math.min(pause, left));
    alive = await scan(alive);
  }
  return alive;
}

/** The group in one call, so that nobody can fork out of it meanwhile; then each member outside of it. */
function signalTree(tree: ProcessTree, rows: readonly ProcessRow[], signal: NodeJS.Signals): void {
  if (rows.some((row) => row.groupId === tree.rootPid)) sendSignal(-tree.rootPid, signal);
  for (const row of rows) {
    if (row.groupId !== tree.rootPid) sendSignal(row.pid, signal);
  }
}

/** False when there was nobody to signal; a process that may not be signalled shows up as a survivor. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (hasErrno(error, 'ESRCH') || hasErrno(error, 'EPERM')) return false;
    throw error;
  }
}

function unkillable(rows: readonly ProcessRow[]): AppError {
  const pids = rows.map((row) => row.pid);
  return new AppError('agent_failed', `Processes outlived SIGKILL: ${pids.join(', ')}.`, {
    hint: 'Check what they wait for with `ps -o pid,stat,wchan,user,args -p <pid>` and end them by hand.',
    context: { pids },
  });
}
