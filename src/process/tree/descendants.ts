import { membersOf } from '../cgroup/cgroup-folder.ts';
import { hasEnvironmentEntry } from '../table/proc-linux.ts';
import type { ProcessRow } from '../table/process-row.ts';
import { readProcessTable } from '../table/process-table.ts';

/** Names the run a process belongs to; inherited by every descendant that does not clear its environment. */
export const RUN_ID_VARIABLE = 'AIOPS_RUN_ID';
/** Names one `runCommand`, so that ending it does not touch the other processes of its run. */
export const COMMAND_ID_VARIABLE = 'AIOPS_COMMAND_ID';

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

/** A tree of processes: a group leader, whoever it started, and whoever has the variable. */
export interface ProcessTree {
  readonly rootPid: number;
  /** The root's `startOrder`; nothing older than the root can descend from it. */
  readonly rootStart: number | null;
  readonly variable: EnvironmentVariable;
  /** The folder of the cgroup that is the tree's own, where it has one. */
  readonly cgroup?: string | null;
}

/**
 * The live members of a tree, root included, this process and its ancestors never.
 * On Linux: the root's group, its descendants by parentage, and every process whose environment has the variable, so one
 * that left the group with `setsid` and was adopted by init is found too; where the tree has a cgroup, all in it, also one
 * that cleared its environment as well. Elsewhere: group and parentage only.
 * `known` are members found earlier; they stay members after they lost the parent they were found by.
 */
export async function findTree(tree: ProcessTree, known: readonly ProcessRow[] = []): Promise<ProcessRow[]> {
  const table = await readProcessTable().catch(() => null);
  if (table === null) return probeGroup(tree);
  const excluded = selfAndAncestors(table);
  const oldest = tree.rootStart ?? Number.NEGATIVE_INFINITY;
  const candidates = table.filter((row) => !row.zombie && !excluded.has(row.pid) && row.startOrder >= oldest);
  // A root pid that now belongs to a younger process is not ours, nor is its group.
  const reused = table.some(
    (row) => row.pid === tree.rootPid && row.startOrder > (tree.rootStart ?? row.startOrder),
  );
  const knownStarts = new Map(known.map((row) => [row.pid, row.startTime]));
  const members = new Set(reused ? [] : [tree.rootPid]);
  const inCgroup = tree.cgroup == null ? new Set<number>() : membersOf(tree.cgroup);
  for (const row of candidates) {
    const inGroup = !reused && row.groupId === tree.rootPid;
    const certain = inGroup || inCgroup.has(row.pid) || knownStarts.get(row.pid) === row.startTime;
    if (certain || (await hasVariable(row.pid, tree.variable))) members.add(row.pid);
  }
  addChildren(members, candidates);
  return candidates.filter((row) => members.has(row.pid));
}

/** Where neither /proc nor `ps` can be read, a group can still be asked whether anyone is in it. */
function probeGroup({ rootPid, rootStart }: ProcessTree): ProcessRow[] {
  const startOrder = rootStart ?? 0;
  const row = {
    pid: rootPid,
    parentPid: process.pid,
    groupId: rootPid,
    zombie: false,
    startTime: '',
    startOrder,
  };
  try {
    return process.kill(-rootPid, 0) ? [row] : [];
  } catch {
    return [];
  }
}

export async function hasVariable(pid: number, variable: EnvironmentVariable): Promise<boolean> {
  return process.platform === 'linux' && hasEnvironmentEntry(pid, variable.name, variable.value);
}

/** Adds everyone whose parent is a member, however deep. */
export function addChildren(members: Set<number>, rows: readonly ProcessRow[]): void {
  let before: number;
  do {
    before = members.size;
    for (const row of rows) {
      if (members.has(row.parentPid)) members.add(row.pid);
    }
  } while (members.size > before);
}

/** The processes that must never be signalled: this one and those it lives under. */
export function selfAndAncestors(table: readonly ProcessRow[]): Set<number> {
  const parents = new Map(table.map((row) => [row.pid, row.parentPid]));
  const found = new Set<number>();
  for (let pid = process.pid; pid > 0 && !found.has(pid); pid = parents.get(pid) ?? 0) found.add(pid);
  found.add(1);
  return found;
}
