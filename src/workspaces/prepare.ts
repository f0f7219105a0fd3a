import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepoConfig } from '../config/config.ts';
import { AppError, messageOf } from '../errors/app-error.ts';
import { branchName } from './branch-name.ts';
import { buildCheckout, clearStaging, startingPoint } from './checkout.ts';
import { openLayout, type WorkspacesContext, withKeyLock, withView } from './context.ts';
import { continueWorkspace, isReadable } from './continue-workspace.ts';
import { creationWasCut, ownCreator } from './creator.ts';
import { assertFreeSpace, namingFullDisk } from './disk-space.ts';
import { readGitFacts } from './git-facts.ts';
import { type Allocation, allocateKey, type Claimant } from './key-allocation.ts';
import type { Layout } from './layout.ts';
import type { Mirror } from './mirror.ts';
import { type OwnershipRecord, readRecord, writeRecord } from './ownership.ts';
import { assertOwnDirectory, pathKind } from './path-safety.ts';
import { discardWorkspace } from './removal.ts';
import { repositoryIdentity } from './repository-url.ts';
import { setAside } from './rescue.ts';
import type { PrepareRequest, Workspace, Workspaces } from './workspaces.ts';

type FetchOutcome = { readonly mirror: Mirror | null } | { readonly error: unknown };

interface Job extends PrepareRequest {
  readonly layout: Layout;
  readonly allocation: Allocation;
  readonly record: OwnershipRecord;
  readonly fetched: FetchOutcome;
  readonly signal: AbortSignal;
}

export function createPreparation(
  context: WorkspacesContext,
): Pick<Workspaces, 'prepare' | 'confirmCreated'> {
  return {
    prepare: (request, signal) => namingFullDisk(context.root, () => prepareOne(context, request, signal)),
    async confirmCreated(workspace) {
      const layout = await openLayout(context);
      await confirm(layout, workspace.key);
    },
  };
}

async function prepareOne(
  context: WorkspacesContext,
  request: PrepareRequest,
  signal: AbortSignal,
): Promise<Workspace> {
  const layout = await openLayout(context);
  // Before any lock, so that dispatches at the same moment share the fetch.
  const fetched = await fetchOutcome(context, request, signal);
  const { allocation, record } = await claimKey(context, layout, request, signal);
  const purpose = `preparing the workspace of ${request.issue.identifier}`;
  return withKeyLock(context, layout, allocation.key, purpose, signal, () =>
    prepareLocked(context, { ...request, layout, allocation, record, fetched, signal }),
  );
}

async function fetchOutcome(
  { mirrors }: WorkspacesContext,
  { repo, onProgress }: PrepareRequest,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  if (repo === null) return { mirror: null };
  onProgress('fetching');
  try {
    return { mirror: await mirrors.refresh(repo.cloneUrl, signal, onProgress) };
  } catch (error) {
    signal.throwIfAborted();
    return { error };
  }
}

/** Picks the key and writes its record in one step, so that two issues never take the same one. */
async function claimKey(
  context: WorkspacesContext,
  layout: Layout,
  { issue, repo }: PrepareRequest,
  signal: AbortSignal,
): Promise<{ allocation: Allocation; record: OwnershipRecord }> {
  const claimant: Claimant = {
    ...context.scope,
    issueId: issue.id,
    identifier: issue.identifier,
    repository: repo === null ? null : repositoryIdentity(repo.cloneUrl),
  };
  return context.locks.run(join(layout.locks, 'keys.lock'), 'choosing a workspace', signal, async () => {
    const allocation = await allocateKey(layout, claimant);
    const record: OwnershipRecord = allocation.record ?? {
      version: 1,
      key: allocation.key,
      ...claimant,
      createdAt: new Date().toISOString(),
      creator: null,
    };
    if (allocation.record === null) await writeRecord(layout, record);
    return { allocation, record };
  });
}

async function prepareLocked(context: WorkspacesContext, job: Job): Promise<Workspace> {
  const { layout, allocation, record, signal } = job;
  const { path, key } = allocation;
  await clearStaging(layout, key);
  const kind = await pathKind(path);
  if (kind === 'symlink') await assertOwnDirectory(layout.root, path);
  if (kind === 'other')
    await setAside({ record, path, reason: 'not a directory', mirror: null, signal }, layout);
  if (kind === 'directory') {
    await assertOwnDirectory(layout.root, path);
    if (await isHalfMade(context, job)) {
      context.logger.info('starting a half-made workspace afresh', { workspace: path });
      await discardWorkspace(context, layout, record, { reason: 'half made', signal });
    }
  }
  const createdNow = await (job.repo === null ? makeDirectory(job) : makeRepository(context, job, job.repo));
  return describeWorkspace(context, job, createdNow);
}

/** `after_create` failed or its worker died: no agent has been in it yet. */
async function isHalfMade(
  context: WorkspacesContext,
  { record, allocation, layout, signal }: Job,
): Promise<boolean> {
  const { path } = allocation;
  if (!(await creationWasCut(record)) || (await pathKind(join(path, '.aiops'))) !== 'missing') return false;
  return withView(context, layout, path, null, async (view) => {
    const own = await view?.query(['rev-list', '-n1', 'HEAD', '--branches', '--not', '--remotes', '--'], {
      signal,
    });
    return own === undefined || own === null || own === '';
  });
}

async function makeDirectory({ layout, allocation, record }: Job): Promise<boolean> {
  if ((await pathKind(allocation.path)) === 'directory') return false;
  await writeRecord(layout, { ...record, creator: await ownCreator() });
  await mkdir(allocation.path, { mode: 0o755 });
  return true;
}

async function makeRepository(context: WorkspacesContext, job: Job, repo: RepoConfig): Promise<boolean> {
  const { layout, allocation, record, signal, fetched, onProgress } = job;
  const { path, key } = allocation;
  const branch = branchName(job.issue.id);
  if (await continueExisting(context, job, repo, branch)) return false;
  if ('error' in fetched) throw fetched.error;
  const { mirror } = fetched;
  if (mirror === null) throw new Error('a repository was to be checked out without its mirror');
  if ((await pathKind(path)) === 'directory' && (await readdir(path)).length > 0) {
    await setAside({ record, path, reason: 'its repository could not be read', mirror, signal }, layout);
  }
  await assertFreeSpace(layout.root, context.minFreeBytes);
  const start = await startingPoint(context.git, { repo, branch, mirror, signal });
  await context.mirrors.complete(mirror, start, signal, onProgress);
  onProgress('checking out');
  const options = context.checkout;
  const request = { key, repo, branch, mirror, start, options, signal, onProgress };
  const staged = await buildCheckout(context.git, layout, request);
  await writeRecord(layout, { ...record, creator: await ownCreator() });
  await rename(staged, path);
  return true;
}

/** False when there is no readable repository to go on with. */
async function continueExisting(
  context: WorkspacesContext,
  job: Job,
  repo: RepoConfig,
  branch: string,
): Promise<boolean> {
  const { allocation, fetched, signal, layout, onProgress } = job;
  if ((await pathKind(join(allocation.path, '.git'))) !== 'directory') return false;
  const mirror = await currentMirror(context, fetched, repo, signal);
  return withView(context, layout, allocation.path, mirror?.path ?? null, async (view) => {
    if (view === null || !(await isReadable(view, signal))) return false;
    onProgress('continuing');
    await continueWorkspace(context.git, context.logger, { view, repo, branch, mirror, signal });
    return true;
  });
}

/** Existing work goes on while the remote is away; only a new workspace needs it. */
async function currentMirror(
  { mirrors, logger }: WorkspacesContext,
  fetched: FetchOutcome,
  repo: RepoConfig,
  signal: AbortSignal,
): Promise<Mirror | null> {
  if (!('error' in fetched)) return fetched.mirror;
  if (fetched.error instanceof AppError && fetched.error.code === 'git_missing') throw fetched.error;
  logger.warn('the remote could not be fetched; going on with the workspace as it is', {
    reason: messageOf(fetched.error),
  });
  return mirrors.peek(repositoryIdentity(repo.cloneUrl), signal);
}

async function describeWorkspace(
  context: WorkspacesContext,
  job: Job,
  createdNow: boolean,
): Promise<Workspace> {
  const { allocation, repo, issue, layout } = job;
  await assertOwnDirectory(layout.root, allocation.path);
  const mirror = 'mirror' in job.fetched ? job.fetched.mirror : null;
  const git = await withView(context, layout, allocation.path, mirror?.path ?? null, (view) =>
    readGitFacts(view, { branch: branchName(issue.id), baseBranch: repo?.defaultBranch ?? null, mirror }),
  );
  return { path: allocation.path, key: allocation.key, createdNow, git };
}

async function confirm(layout: Layout, key: string): Promise<void> {
  const record = await readRecord(layout, key);
  if (record === null || record === 'unreadable' || record.creator === null) return;
  await writeRecord(layout, { ...record, creator: null });
}
