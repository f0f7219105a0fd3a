import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RepoConfig } from '../../config/config.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { type WorkspacesContext, withView } from '../context.ts';
import { assertFreeSpace } from '../files/disk-space.ts';
import type { Layout } from '../files/layout.ts';
import { pathKind, readRegularFile } from '../files/path-safety.ts';
import { isUnsafeRepository, writingInto } from '../files/unsafe.ts';
import { workspaceRemoteUrl } from '../git/credential.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import { identify } from '../ownership/git-identity.ts';
import { type OwnershipRecord, writeRecord } from '../ownership/ownership-record.ts';
import { readGitFacts } from '../reading/facts.ts';
import type { RepositoryView } from '../reading/repository-view.ts';
import { relayAddresses, setUpRelay } from '../relay/relays.ts';
import { setAside } from '../rescue/save-rescue.ts';
import type { WorkspaceGit } from '../workspaces.ts';
import { continueWorkspace, isReadable } from './continue-workspace.ts';
import { findStartingPoint } from './starting-point.ts';

/** The mirror a dispatch got, or why it got none. */
export type FetchOutcome = { readonly mirror: Mirror } | { readonly error: unknown };

export interface RepositoryJob {
  readonly layout: Layout;
  readonly record: OwnershipRecord;
  readonly path: string;
  readonly repo: RepoConfig;
  readonly branch: string;
  readonly fetched: FetchOutcome;
  readonly signal: AbortSignal;
  onProgress(detail: string): void;
}

export interface MadeRepository {
  readonly createdNow: boolean;
  readonly git: WorkspaceGit | null;
}

/** Goes on with the repository at the path, or checks one out there. Call it with the key's lock held. */
export async function makeRepository(
  context: WorkspacesContext,
  job: RepositoryJob,
  mended = false,
): Promise<MadeRepository> {
  const existing = await continueExisting(context, job);
  if (existing !== null && existing !== 'unreadable') return { createdNow: false, git: existing };
  if ('error' in job.fetched) throw job.fetched.error;
  if (existing === 'unreadable' && !mended) {
    // What the workspace lacks may be what its mirror lost. A remote that is damaged itself mends nothing: once is enough.
    const mirror = await context.mirrors.mend(job.repo.cloneUrl, job.signal, job.onProgress);
    if (mirror !== null) return makeRepository(context, { ...job, fetched: { mirror } }, true);
  }
  return { createdNow: true, git: await checkOutNew(context, job, job.fetched.mirror) };
}

/** Null when there is no repository to go on with, or none that is safe to read. */
async function continueExisting(
  context: WorkspacesContext,
  job: RepositoryJob,
): Promise<WorkspaceGit | 'unreadable' | null> {
  const { layout, path, repo, branch, signal } = job;
  if ((await pathKind(join(path, '.git'))) !== 'directory') return null;
  const mirror = await currentMirror(context, job);
  try {
    const goOn = async (view: RepositoryView | null): Promise<WorkspaceGit | 'unreadable' | null> => {
      if (view === null) return null;
      if (!(await isReadable(view, context.filter !== null, mirror, signal))) return 'unreadable';
      job.onProgress('continuing');
      await bringUpToDate(context, job, view, mirror);
      await rememberRepository(job, mirror);
      const refs = await view.refs(signal);
      return readGitFacts(view, {
        branch,
        baseBranch: repo.defaultBranch,
        mirror,
        refs,
        facts: context.facts,
      });
    };
    return await withView(context, layout, path, mirror?.path ?? null, goOn, signal);
  } catch (error) {
    if (!isUnsafeRepository(error)) throw error;
    context.logger.warn('the repository of a workspace is not gone on with', {
      workspace: path,
      reason: error.message,
    });
    return null;
  }
}

async function bringUpToDate(
  context: WorkspacesContext,
  { layout, path, repo, branch, signal }: RepositoryJob,
  view: RepositoryView,
  mirror: Mirror | null,
): Promise<void> {
  const { gitDirectory } = view;
  const site = mirror === null ? null : { layout, repo, branch, mirror, workTree: path, signal };
  const wanted = wantedConfig(context, repo, site);
  const configSettled = context.settledConfigs.has(await configText(gitDirectory), wanted);
  const request = { view, repo, branch, mirror, configSettled, signal };
  const done = await continueWorkspace(context.git, context.logger, request);
  if (site === null) return;
  const config = configSettled ? 'settled' : 'unknown';
  await writingInto(gitDirectory, () => setUpRelay(context, { ...site, gitDirectory, config }));
  const text = await configText(gitDirectory);
  if (done && text !== '') context.settledConfigs.add(text, wanted);
}

/** All that `continueWorkspace` and the relay want of a configuration. */
function wantedConfig(
  context: WorkspacesContext,
  repo: RepoConfig,
  site: Parameters<typeof relayAddresses>[1] | null,
): unknown {
  return [workspaceRemoteUrl(repo), site === null ? null : relayAddresses(context, site)];
}

async function configText(gitDirectory: string): Promise<string> {
  return (await readRegularFile(join(gitDirectory, 'config'))) ?? '';
}

/** Workspaces older than the record, and those whose root or mirror moved, are taken down as they are found. */
async function rememberRepository(
  { layout, record, path }: RepositoryJob,
  mirror: Mirror | null,
): Promise<void> {
  const found = await identify(path, layout.root);
  if (found === null) return;
  const borrowed = mirror === null ? (record.git?.borrowed ?? []) : [join(mirror.path, 'objects')];
  const git = { ...found, borrowed };
  if (!isDeepStrictEqual(git, record.git)) await writeRecord(layout, { ...record, git });
}

/** Existing work goes on while the remote is away; only a new workspace needs it. */
async function currentMirror(
  { mirrors, logger }: WorkspacesContext,
  { fetched, repo, path, signal }: RepositoryJob,
): Promise<Mirror | null> {
  if ('mirror' in fetched) return fetched.mirror;
  if (fetched.error instanceof AppError && fetched.error.code === 'git_missing') throw fetched.error;
  const reason = messageOf(fetched.error);
  logger.warn('the remote could not be fetched; going on with the workspace as it is', {
    workspace: path,
    reason,
  });
  return mirrors.peek(repositoryIdentity(repo.cloneUrl), signal);
}

async function checkOutNew(
  context: WorkspacesContext,
  job: RepositoryJob,
  mirror: Mirror,
): Promise<WorkspaceGit> {
  const { layout, record, path, repo, branch, signal, onProgress } = job;
  if ((await pathKind(path)) === 'directory' && (await readdir(path)).length > 0) {
    const rescue = await setAside(
      { record, path, reason: 'its repository could not be read', mirror, signal },
      { ...context, layout },
    );
    context.logger.warn('a workspace whose repository could not be read was set aside', {
      workspace: path,
      rescue,
    });
  }
  await assertFreeSpace(layout.root, context.minFreeBytes);
  const from = await findStartingPoint(context.git, repo, branch, mirror, signal);
  if (!from.submodulesTrusted) {
    context.logger.warn('submodules are left out: the branch names others than the base does', {
      workspace: path,
      branch,
    });
  }
  await context.mirrors.complete(mirror, from.commit, signal, onProgress);
  onProgress('checking out');
  const { submodulesTrusted } = from;
  const request = {
    key: record.key,
    remoteUrl: workspaceRemoteUrl(repo),
    branch,
    mirror,
    start: from.commit,
    submodulesTrusted,
    signal,
    onProgress,
  };
  const { path: staged, initialConfig } = await context.checkouts.build(layout, request);
  const site = { layout, repo, branch, mirror, workTree: path, signal };
  const gitDirectory = join(staged, '.git');
  await setUpRelay(context, { ...site, gitDirectory, config: 'fresh' });
  const config = await configText(gitDirectory);
  context.git.addsNoSettings(config, initialConfig);
  context.settledConfigs.add(config, wantedConfig(context, repo, site));
  const git = await identify(staged, layout.root);
  await writeRecord(layout, { ...record, creator: await context.creator(), git });
  await rename(staged, path);
  return {
    branch,
    baseBranch: repo.defaultBranch,
    headAtStart: from.commit,
    mirrorPath: mirror.path,
    behindBase: from.behindBase,
  };
}
