import { killMembers } from '../cgroup/cgroup-folder.ts';
import { removeLeftCgroups, runCgroupFinder } from '../cgroup/run-cgroup.ts';
import type { ProcessRow } from '../table/process-row.ts';
import { readProcessTable } from '../table/process-table.ts';
import { addChildren, hasVariable, selfAndAncestors } from '../tree/descendants.ts';
import { pollUntilGone, sendSignal } from './terminate.ts';

/** Names the worker a child belongs to. Whoever starts an agent puts it into the agent's environment. */
export const RUN_OWNER_VARIABLE = 'AIOPS_RUN_OWNER';

/** Each is an open file. */
const LOOKS_AT_ONCE = 16;

export interface EndOrphansOptions {
  /** Time after SIGTERM before SIGKILL. */
  readonly graceMs?: number;
  /** Time after SIGKILL before a survivor is given up. */
  readonly killMs?: number;
}

/**
 * Ends what an earlier worker with this owner left running when it died, and returns the pids that ended.
 * Every live process started with `AIOPS_RUN_OWNER=<owner>`, in a cgroup that this owner made, or descended from one, gets
 * SIGTERM and, after a grace, SIGKILL; this process and its ancestors are spared. Empty cgroups are removed. Call it before starting children of one's own: they carry the owner too.
 * Only Linux shows the environment of other processes; elsewhere nothing is found and the answer is [].
 */
export async function endOrphans(owner: string, options: EndOrphansOptions = {}): Promise<number[]> {
  const { graceMs = 2_000, killMs = 5_000 } = options;
  const seen = new Set<number>();
  const cgroups = new Set<string>();
  const scan = async (known: readonly ProcessRow[]): Promise<ProcessRow[]> => {
    const rows = await findOwned(owner, known, cgroups);
    for (const row of rows) seen.add(row.pid);
    return rows;
  };
  let alive = await scan([]);
  signalEach(alive, 'SIGTERM');
  alive = await pollUntilGone(scan, alive, graceMs);
  if (alive.length > 0) {
    const spared = selfAndAncestors(await readProcessTable());
    for (const cgroup of cgroups) killMembers(cgroup, spared);
    alive = await pollUntilGone(scan, alive, killMs, (rows) => signalEach(rows, 'SIGKILL'));
  }
  for (const row of alive) seen.delete(row.pid);
  await removeLeftCgroups(owner, cgroups);
  return [...seen].sort((a, b) => a - b);
}

/** Adds the cgroups of the owner that it comes upon to `cgroups`. */
async function findOwned(
  owner: string,
  known: readonly ProcessRow[],
  cgroups: Set<string>,
): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return [];
  const variable = { name: RUN_OWNER_VARIABLE, value: owner };
  const table = await readProcessTable();
  const spared = selfAndAncestors(table);
  const candidates = table.filter((row) => !row.zombie && !spared.has(row.pid));
  const starts = new Map(known.map((row) => [row.pid, row.startTime]));
  const cgroupOf = runCgroupFinder(owner);
  const members = new Set<number>();
  const look = async (row: ProcessRow): Promise<void> => {
    const cgroup = cgroupOf(row.pid);
    if (cgroup !== null) cgroups.add(cgroup);
    const certain = cgroup !== null || starts.get(row.pid) === row.startTime;
    if (certain || (await hasVariable(row.pid, variable))) members.add(row.pid);
  };
  for (let from = 0; from < candidates.length; from += LOOKS_AT_ONCE)
    await Promise.all(candidates.slice(from, from + LOOKS_AT_ONCE).map(look));
  addChildren(members, candidates);
  return candidates.filter((row) => members.has(row.pid));
}

function signalEach(rows: readonly ProcessRow[], signal: NodeJS.Signals): void {
  for (const row of rows) sendSignal(row.pid, signal);
}
