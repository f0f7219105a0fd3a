import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepoConfig } from '../../config/config.ts';
import type { PushRequest, PushResult } from '../../domain/push.ts';
import { timeoutSignal } from '../../domain/timeout-signal.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { openLayout, type WorkspacesContext, withKeyLock, withView } from '../context.ts';
import type { Layout } from '../files/layout.ts';
import { assertOwnDirectory, childPath, pathKind } from '../files/path-safety.ts';
import { isForeign, noteForeign } from '../foreign-pushes/note-foreign.ts';
import { gitCredentialOf } from '../git/credential.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import { branchOf, listRecords, type OwnershipRecord } from '../ownership/ownership-record.ts';
import { addKnown } from '../ownership/seen-branch.ts';
import type { Workspaces } from '../workspaces.ts';
import { sendLargeFiles } from './large-files.ts';
import { type Refusal, refusal } from './refusal.ts';
import { readRemote, sendBranch } from './send-branch.ts';
import { type CheckedCommit, takeCommit } from './take-commit.ts';
import { followPush, knownRefs } from './workspace-refs.ts';

/** A push that is not done by then never will be. */
const PATIENCE_MS = 10 * 60_000;

/** Carries an issue's own branch to the remote, with the repository's credential and nothing else of the agent's. */
export function createPushing(context: WorkspacesContext): Pick<Workspaces, 'push'> {
  return {
    async push(identifier, request, signal) {
      const bounded = timeoutSignal(PATIENCE_MS, [signal]);
      try {
        return await pushOne(context, identifier, request, bounded);
      } catch (error) {
        if (signal.aborted) return refusal('stopped', 'The push was stopped before it was done.');
        if (bounded.aborted) return refusal('timed_out', 'The push did not finish within ten minutes.');
        const hint = error instanceof AppError && error.hint !== null ? ` ${error.hint}` : '';
        context.logger.warn('a push failed', { issue_identifier: identifier, error: messageOf(error) });
        const code = error instanceof AppError ? error.code : 'push_failed';
        return refusal(code, `${messageOf(error)}.${hint}`);
      }
    },
  };
}

async function pushOne(
  context: WorkspacesContext,
  identifier: string,
  request: PushRequest,
  signal: AbortSignal,
): Promise<PushResult> {
  const { repo } = context;
  if (repo === null) return refusal('no_repository', 'The workflow names no repository to push to.');
  if (request.commit !== null && !/^[0-9a-f]{40}$/.test(request.commit))
    return refusal('invalid_commit', 'The commit is not a full object id of 40 hexadecimal digits.');
  const layout = await openLayout(context);
  const record = await findRecord(context, layout, identifier, repo);
  if (record === null) return refusal('no_workspace', `There is no workspace of ${identifier} to push from.`);
  const branch = branchOf(record);
  if (branch === repo.defaultBranch)
    return refusal('default_branch', `${branch} is the base branch; only work branches are pushed.`);
  return withKeyLock(context, layout, record.key, `pushing the work of ${identifier}`, signal, () =>
    pushLocked(context, { layout, record, repo, branch, request, signal }),
  );
}

async function findRecord(
  context: WorkspacesContext,
  layout: Layout,
  identifier: string,
  repo: RepoConfig,
): Promise<OwnershipRecord | null> {
  const repository = repositoryIdentity(repo.cloneUrl);
  for (const record of await listRecords(layout, context.scope)) {
    if (record.identifier !== identifier || record.repository !== repository) continue;
    if ((await pathKind(childPath(layout.root, record.key))) === 'directory') return record;
  }
  return null;
}

export interface PushJob {
  readonly layout: Layout;
  readonly record: OwnershipRecord;
  readonly repo: RepoConfig;
  readonly branch: string;
  readonly request: PushRequest;
  readonly signal: AbortSignal;
}

async function pushLocked(context: WorkspacesContext, job: PushJob): Promise<PushResult> {
  const { layout, record, repo, branch, request, signal } = job;
  const workTree = childPath(layout.root, record.key);
  await assertOwnDirectory(layout.root, workTree);
  const identity = repositoryIdentity(repo.cloneUrl);
  const mirror =
    (await context.mirrors.peek(identity, signal)) ?? (await context.mirrors.refresh(repo.cloneUrl, signal));
  const folder = join(layout.staging, `push-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    return await withView(context, layout, workTree, mirror.path, async (view) => {
      if (view === null || (await pathKind(join(workTree, '.git'))) !== 'directory')
        return refusal('no_repository', 'The workspace holds no repository of its own to push from.');
      const known = await knownRefs(view, branch, signal);
      const commit = request.commit ?? known.head;
      if (commit === null)
        return refusal('no_branch', `The workspace has no branch ${branch}: commit to that branch first.`);
      const taken = await takeCommit(context, { folder, workTree, mirror, branch, commit, signal });
      if ('ok' in taken) return taken;
      return deliver(context, job, { taken, tracked: known.tracked, view });
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Delivery {
  readonly taken: CheckedCommit;
  /** Where the workspace believes the remote's branch to be. */
  readonly tracked: string | null;
  readonly view: Parameters<typeof followPush>[1]['view'];
}

async function deliver(context: WorkspacesContext, job: PushJob, delivery: Delivery): Promise<PushResult> {
  const { branch, repo, signal } = job;
  const { taken } = delivery;
  const remote = await readRemote(context, repo, branch, signal);
  if (remote.head === `refs/heads/${branch}`)
    return refusal('default_branch', `${branch} is the default branch of the remote; it is never pushed to.`);
  const { tip } = remote;
  const isSurprise = tip !== taken.commit && (await isForeign(job.layout, job.record.key, tip));
  if (!isSurprise && tip !== null) await addKnown(job.layout, job.record, branch, tip);
  const result = await sendOver(context, job, delivery, tip);
  if (isSurprise && tip !== null) {
    const mirrorPath = taken.mirror.path;
    await noteForeign(context, { layout: job.layout, key: job.record.key, tip, mirrorPath, signal });
  }
  return result;
}

async function sendOver(
  context: WorkspacesContext,
  job: PushJob,
  { taken, tracked, view }: Delivery,
  tip: string | null,
): Promise<PushResult> {
  const { branch, repo, request, signal } = job;
  const credential = gitCredentialOf(repo);
  const lease = request.force ? await leaseOver(context, job, taken, tip, tracked) : null;
  if (lease !== null && typeof lease !== 'string') return lease;
  const largeFiles = await sendLargeFiles(context, { taken, credential, signal });
  if (largeFiles !== null) return largeFiles;
  // Before it is sent: should this process be killed, it is its own push all the same.
  await addKnown(job.layout, job.record, branch, taken.commit);
  const sent = await sendBranch(context, { repo, branch, taken, lease, credential, signal });
  if (!sent.ok) {
    // So that the agent's next fetch shows what stood in the way.
    await context.mirrors.refresh(repo.cloneUrl, signal).catch(() => {});
    return sent;
  }
  await followPush(context, { view, taken, branch, signal });
  return sent;
}

/** The tip that may be replaced; null when nothing has to be; a refusal when commits would go that the agent never saw. */
async function leaseOver(
  { git, mirrors }: WorkspacesContext,
  { repo, branch, signal }: PushJob,
  { repository, commit }: CheckedCommit,
  tip: string | null,
  tracked: string | null,
): Promise<string | null | Refusal> {
  if (tip === null) return null;
  await mirrors.refresh(repo.cloneUrl, signal);
  const behind = await git.attempt(['merge-base', '--is-ancestor', tip, commit], {
    cwd: repository,
    action: 'comparing the branch with the remote',
    signal,
  });
  if (behind.code === 0) return null;
  if (tip === tracked) return tip;
  return refusal(
    'remote_moved',
    `The remote's ${branch} has commits that this workspace has not fetched. Run git fetch, keep what they hold, and push again.`,
  );
}
