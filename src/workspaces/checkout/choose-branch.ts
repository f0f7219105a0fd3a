import { join } from 'node:path';
import type { WorkspacesContext } from '../context.ts';
import type { Layout } from '../files/layout.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import { branchName } from '../ownership/branch-name.ts';
import { branchOf, listRecords, type OwnershipRecord, writeRecord } from '../ownership/ownership-record.ts';

export interface BranchRequest {
  readonly layout: Layout;
  readonly record: OwnershipRecord;
  /** When the issue came to be, if the tracker says so. */
  readonly createdAt: string | null;
  readonly mirror: Mirror;
  readonly signal: AbortSignal;
  onProgress(detail: string): void;
}

/**
 * The record with the branch that the issue works on from now on. A branch of the remote is the issue's own, and gone on
 * with, unless its last commit is older than the issue: then the next name is looked at.
 */
export async function settleBranch(
  context: WorkspacesContext,
  request: BranchRequest,
): Promise<OwnershipRecord> {
  const { layout, record, signal } = request;
  if (record.branch !== null) return record;
  // Two issues that choose at the same moment must not choose the same name.
  return context.locks.run(join(layout.locks, 'keys.lock'), 'choosing a branch', signal, async () => {
    const branch = await chooseBranch(context, request);
    const settled = { ...record, branch };
    await writeRecord(layout, settled);
    return settled;
  });
}

async function chooseBranch(context: WorkspacesContext, request: BranchRequest): Promise<string> {
  const { record, layout, mirror, onProgress } = request;
  const first = branchName(record.issueId);
  if (!context.reusesIds) return first;
  const others = await listRecords(layout, context.scope);
  const taken = new Set(others.filter(({ key }) => key !== record.key).map(branchOf));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? first : `${first}-${number}`;
    if (taken.has(name)) continue;
    const tip = mirror.refs.get(`refs/remotes/origin/${name}`);
    if (tip !== undefined && (await isOlderThanIssue(context, request, tip))) continue;
    if (name !== first) {
      onProgress(`on ${name}, because ${first} is not of this issue`);
      context.logger.info('a branch of the usual name is not of this issue; another name is used', {
        branch: name,
        not_used: first,
      });
    } else if (tip !== undefined) {
      context.logger.info('going on with a branch that the remote has', { branch: name, commit: tip });
    }
    return name;
  }
}

/** Git keeps whole seconds. A date to come says nothing. */
async function isOlderThanIssue(
  { git }: WorkspacesContext,
  { createdAt, mirror, signal }: BranchRequest,
  tip: string,
): Promise<boolean> {
  const created = createdAt === null ? Number.NaN : Math.floor(Date.parse(createdAt) / 1000);
  if (Number.isNaN(created) || created > Date.now() / 1000) return false;
  const time = await git.run(['show', '--no-patch', '--format=%ct', tip, '--'], {
    cwd: mirror.path,
    action: 'reading when a branch was last committed to',
    signal,
  });
  return Number(time.trim()) < created;
}
