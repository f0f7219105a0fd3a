import { addChildren, carriesMark, selfAndAncestors } from './descendants.ts';
import type { ProcessRow } from './process-row.ts';
import { readProcessTable } from './process-table.ts';
import { pollUntilGone, sendSignal } from './terminate.ts';

/** Names the worker a child belongs to. Whoever starts an agent puts it into the agent's environment. */
export const RUN_OWNER_VARIABLE = 'AIOPS_RUN_OWNER';

export interface EndOrphansOptions {
  /** Time after SIGTERM before SIGKILL. */
  readonly graceMs?: number;
  /** Time after SIGKILL before a survivor is given up. */
  readonly killMs?: number;
}

/**
 * Ends what an earlier worker with this owner left running when it died, and returns the pids that ended.
 * Every live process started with `AIOPS_RUN_OWNER=<owner>`, and its descendants, gets SIGTERM and, after a grace, SIGKILL;
 * this process and its ancestors are spared. Call it before starting children of one's own: they carry the owner too.
 * Only Linux shows the environment of other processes; elsewhere nothing is found and the answer is [].
 */
export async function endOrphans(owner: string, options: EndOrphansOptions = {}): Promise<number[]> {
  const { graceMs = 2_000, killMs = 5_000 } = options;
  const seen = new Set<number>();
  const scan = async (known: readonly ProcessRow[]): Promise<ProcessRow[]> => {
    const rows = await findOwned(owner, known);
    for (const row of rows) seen.add(row.pid);
    return rows;
  };
  let alive = await scan([]);
  signalEach(alive, 'SIGTERM');
  alive = await pollUntilGone(scan, alive, graceMs);
  alive = await pollUntilGone(scan, alive, killMs, (rows) => signalEach(rows, 'SIGKILL'));
  for (const row of alive) seen.delete(row.pid);
  return [...seen].sort((a, b) => a - b);
}

async function findOwned(owner: string, known: readonly ProcessRow[]): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return [];
  const mark = { name: RUN_OWNER_VARIABLE, value: owner };
  const table = await readProcessTable();
  const spared = selfAndAncestors(table);
  const candidates = table.filter((row) => !row.zombie && !spared.has(row.pid));
  const starts = new Map(known.map((row) => [row.pid, row.startTime]));
  const members = new Set<number>();
  for (const row of candidates) {
    if (starts.get(row.pid) === row.startTime || (await carriesMark(row.pid, mark))) members.add(row.pid);
  }
  addChildren(members, candidates);
  return candidates.filter((row) => members.has(row.pid));
}

function signalEach(rows: readonly ProcessRow[], signal: NodeJS.Signals): void {
  for (const row of rows) sendSignal(row.pid, signal);
}
