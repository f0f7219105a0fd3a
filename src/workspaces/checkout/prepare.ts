import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepoConfig } from '../../config/config.ts';
import { AppError } from '../../errors/app-error.ts';
import { aboutIssue, openLayout, type WorkspacesContext, withKeyLock, withView } from '../context.ts';
import { namingFullDisk } from '../files/disk-space.ts';
import type { Layout } from '../files/layout.ts';
import { assertOwnDirectory, childPath, pathKind } from '../files/path-safety.ts';
import { isUnsafeRepository } from '../files/unsafe.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import { creationWasCut } from '../ownership/creating-process.ts';
import { identify } from '../ownership/git-identity.ts';
import { type Claim, claimKey } from '../ownership/key-allocation.ts';
import { branchOf, readRecord, writeRecord } from '../ownership/ownership-record.ts';
import { addKnown, forgetSeen } from '../ownership/seen-branch.ts';
import { readGitFacts } from '../reading/facts.ts';
import type { RepositoryView } from '../reading/repository-view.ts';
import { discardWorkspace } from '../removal/removal.ts';
import { setAside } from '../rescue/save-rescue.ts';
import type { PrepareRequest, Workspace, Workspaces } from '../workspaces.ts';
import { clearStaging, isNotWhole } from './checkout.ts';
import { settleBranch } from './choose-branch.ts';
import { type FetchOutcome, type MadeRepository, makeRepository } from './repository-workspace.ts';

interface Job extends PrepareRequest, Claim {
  readonly layout: Layout;
  /** Null for a plain directory. */
  readonly fetched: FetchOutcome | null;
  readonly signal: AbortSignal;
}

export function createPreparation(
  context: WorkspacesContext,
): Pick<Workspaces, 'prepare' | 'confirmCreated'> {
  return {
    prepare: (request, signal) => namingFullDisk(context.root, () => prepareOne(context, request, signal)),
    async confirmCreated({ key }) {
      const layout = await openLayout(context);
      const record = await readRecord(layout, key);
      if (record === null || record === 'unreadable' || record.creator === null) return;
      const git = await identify(childPath(layout.root, key), layout.root);
      await writeRecord(layout, { ...record, creator: null, git });
    },
  };
}

async function prepareOne(
  context: WorkspacesContext,
  request: PrepareRequest,
  signal: AbortSignal,
): Promise<Workspace> {
  const { issue, repo } = request;
  const layout = await openLayout(context);
  // Before any lock, so that dispatches at the same moment share the fetch.
  const fetched = await fetchMirror(context, request, signal);
  const repository = repo === null ? null : repositoryIdentity(repo.cloneUrl);
  const claimant = { ...context.scope, issueId: issue.id, identifier: issue.identifier, repository };
  const claim = await context.locks.run(join(layout.locks, 'keys.lock'), 'choosing a workspace', signal, () =>
    claimKey(layout, claimant),
  );
  const purpose = `preparing the workspace of ${issue.identifier}`;
  return withKeyLock(context, layout, claim.record.key, purpose, signal, () =>
    prepareLocked(aboutIssue(context, claimant), { ...request, ...claim, layout, fetched, signal }),
  );
}

async function fetchMirror(
  { mirrors }: WorkspacesContext,
  { repo, onProgress }: PrepareRequest,
  signal: AbortSignal,
): Promise<FetchOutcome | null> {
  if (repo === null) return null;
  onProgress('fetching');
  try {
    return { mirror: await mirrors.refresh(repo.cloneUrl, signal, { onProgress }) };
  } catch (error) {
    signal.throwIfAborted();
    return { error };
  }
}

async function prepareLocked(context: WorkspacesContext, job: Job): Promise<Workspace> {
  const { layout, record, path, repo, fetched } = job;
  await clearStaging(layout, record.key);
  await makeWay(context, job);
  const made =
    repo === null || fetched === null
      ? await makeDirectory(context, job, branchOf(record))
      : await makeInRepository(context, { ...job, repo, fetched });
  await assertOwnDirectory(layout.root, path);
  return { path, key: record.key, ...made };
}

type RepositoryRequest = Job & { readonly repo: RepoConfig; readonly fetched: FetchOutcome };

/** What fails for a damaged mirror is done once more with the mirror mended. */
async function makeInRepository(context: WorkspacesContext, job: RepositoryRequest): Promise<MadeRepository> {
  try {
    return await makeOnce(context, job);
  } catch (error) {
    job.signal.throwIfAborted();
    if (!('mirror' in job.fetched) || !mayComeFromMirror(error)) throw error;
    const mirror = await context.mirrors.mend(job.repo.cloneUrl, job.signal, job.onProgress);
    if (mirror === null) throw error;
    return makeOnce(context, { ...job, fetched: { mirror } });
  }
}

function mayComeFromMirror(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'git_failed' || isNotWhole(error));
}

/** The branch is chosen when the remote has been seen for the first time, and kept from then on. */
async function makeOnce(context: WorkspacesContext, job: RepositoryRequest): Promise<MadeRepository> {
  const { fetched, issue } = job;
  const record =
    'mirror' in fetched
      ? await settleBranch(context, { ...job, mirror: fetched.mirror, createdAt: issue.createdAt })
      : job.record;
  const branch = branchOf(record);
  await rememberRemote(job, branch);
  return makeRepository(context, { ...job, record, branch });
}

/** Where the run begins, so that what comes meanwhile is told from it. With the remote away that is not known. */
async function rememberRemote({ layout, record, fetched }: RepositoryRequest, branch: string): Promise<void> {
  if (!('mirror' in fetched)) return forgetSeen(layout, record.key);
  const tip = fetched.mirror.refs.get(`refs/remotes/origin/${branch}`) ?? null;
  await addKnown(layout, record, branch, tip);
}

/** Deals with whatever is at the path and cannot be gone on with. */
async function makeWay(context: WorkspacesContext, job: Job): Promise<void> {
  const { layout, record, path, signal } = job;
  const kind = await pathKind(path);
  if (kind === 'missing') return;
  if (kind === 'other') {
    await setAside({ record, path, reason: 'not a directory', mirror: null, signal }, { ...context, layout });
    return;
  }
  await assertOwnDirectory(layout.root, path);
  if (!(await isHalfMade(context, job))) return;
  context.logger.info('starting a half-made workspace afresh', { workspace: path });
  await discardWorkspace(context, layout, record, { reason: 'half made', signal });
}

/** `after_create` failed or its worker died: no agent has been in it yet. */
async function isHalfMade(
  context: WorkspacesContext,
  { record, path, layout, signal }: Job,
): Promise<boolean> {
  if (
    !(await creationWasCut(record, await context.creator())) ||
    (await pathKind(join(path, '.aiops'))) !== 'missing'
  )
    return false;
  const hasNone = async (view: RepositoryView | null): Promise<boolean> => {
    const own = await view?.query(['rev-list', '-n1', 'HEAD', '--branches', '--not', '--remotes', '--'], {
      signal,
    });
    return own === undefined || own === null || own === '';
  };
  return withView(context, layout, path, null, hasNone, signal).catch((error: unknown) => {
    // Whatever half a hook left there: it is saved as it is.
    if (isUnsafeRepository(error)) return true;
    throw error;
  });
}

async function makeDirectory(
  context: WorkspacesContext,
  { layout, path, record, signal }: Job,
  branch: string,
): Promise<MadeRepository> {
  const makeNew = async (): Promise<MadeRepository> => {
    await writeRecord(layout, { ...record, creator: await context.creator(), git: null });
    await mkdir(path, { mode: 0o700 });
    return { createdNow: true, git: null };
  };
  if ((await pathKind(path)) !== 'directory') return makeNew();
  try {
    const facts = { branch, baseBranch: null, mirror: null };
    const read = (view: RepositoryView | null) => readGitFacts(view, facts);
    return { createdNow: false, git: await withView(context, layout, path, null, read, signal) };
  } catch (error) {
    if (!isUnsafeRepository(error)) throw error;
    const reason = error.message;
    const rescue = await setAside({ record, path, reason, mirror: null, signal }, { ...context, layout });
    context.logger.warn('a workspace whose repository must not be read was set aside', {
      workspace: path,
      rescue,
      reason,
    });
    return makeNew();
  }
}
