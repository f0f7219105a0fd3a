import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepoConfig } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { WorkspacesContext } from '../context.ts';
import type { Layout } from '../files/layout.ts';
import { pathKind } from '../files/path-safety.ts';
import { findLinkBelow } from '../files/tree-walk.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import { readingPath, updateReading } from '../mirror/reading.ts';
import type { OpenRelay, Workspaces } from '../workspaces.ts';
import { makeRelay, removeRelay } from './make-relay.ts';
import { configureRelay, type RelayAddresses, renderRelayConfig } from './relay-config.ts';
import { type RelayService, serveRelay, showRemote } from './serve-relay.ts';

/** What agents fetch is at most this old while their runs live. */
const FRESH_MS = 60_000;

export interface RelaySite {
  readonly layout: Layout;
  readonly repo: RepoConfig;
  readonly branch: string;
  readonly mirror: Mirror;
  /** Where the git directory is now. */
  readonly gitDirectory: string;
  /** Where the workspace is, or will be. */
  readonly workTree: string;
  /** Nobody but the worker has written to its configuration: `fresh`, nothing of the relay yet; `settled`, all of it. */
  readonly config: 'fresh' | 'settled' | 'unknown';
  readonly signal: AbortSignal;
}

/** Leads plain `git push` and `git fetch` of a workspace to the worker, or takes that away where agents push themselves. */
export async function setUpRelay(context: WorkspacesContext, site: RelaySite): Promise<void> {
  const { layout, repo, branch, mirror, gitDirectory, signal } = site;
  if ((await findLinkBelow(gitDirectory, ['config'])) !== null) {
    context.logger.warn('a link in place of its configuration keeps a workspace from pushing', {
      workspace: site.workTree,
    });
    return;
  }
  const ours = repo.push === 'worker';
  const tip = mirror.refs.get(`refs/remotes/origin/${branch}`) ?? null;
  const { staging, trash } = layout;
  if (ours) await makeRelay({ gitDirectory, branch, tip, staging, trash });
  else await removeRelay({ gitDirectory, trash });
  const config = join(gitDirectory, 'config');
  // Not run in the workspace: git would read its configuration first.
  const call = { cwd: staging, action: 'leading pushes of a workspace to the worker', signal };
  const addresses = relayAddresses(context, site);
  if (site.config === 'unknown') await configureRelay(context.git, config, addresses, call);
  if (site.config === 'fresh' && addresses !== null) await appendFile(config, renderRelayConfig(addresses));
  if (ours && (await pathKind(readingPath(mirror.path))) === 'missing') await updateReading(mirror);
}

/** Null where agents push themselves. */
export function relayAddresses(
  { filter }: WorkspacesContext,
  { repo, mirror, workTree }: Pick<RelaySite, 'repo' | 'mirror' | 'workTree'>,
): RelayAddresses | null {
  if (repo.push !== 'worker') return null;
  return { workTree, mirrorPath: mirror.path, url: repo.cloneUrl, readsMirror: filter === null };
}

const NOBODY: OpenRelay = { close: async () => {} };

export function createRelays(context: WorkspacesContext): Pick<Workspaces, 'openRelay'> {
  const { repo, mirrors, logger } = context;
  return {
    openRelay(workspace, push) {
      const { git, path } = workspace;
      if (repo === null || repo.push !== 'worker' || git?.mirrorPath === undefined) return NOBODY;
      const leaving = new AbortController();
      const ref = `refs/remotes/origin/${git.branch}`;
      const tip = async (): Promise<string | null> => {
        const mirror = await mirrors
          .peek(repositoryIdentity(repo.cloneUrl), leaving.signal)
          .catch(() => null);
        return mirror?.refs.get(ref) ?? null;
      };
      const service: RelayService = {
        workTree: path,
        branch: git.branch,
        clock: systemClock,
        logger,
        push,
        tip,
      };
      const relay = serveRelay(service);
      const cancel = keepFresh(context, repo, service, leaving.signal);
      return {
        async close() {
          cancel();
          await relay.close();
          leaving.abort();
        },
      };
    },
  };

  function keepFresh(
    { mirrors }: WorkspacesContext,
    { cloneUrl }: RepoConfig,
    service: RelayService,
    signal: AbortSignal,
  ): () => void {
    let cancel = (): void => {};
    const fetchAgain = async (): Promise<void> => {
      try {
        const before = await service.tip();
        const { refs } = await mirrors.refresh(cloneUrl, signal, { maxAgeMs: FRESH_MS });
        if (refs.get(`refs/remotes/origin/${service.branch}`) !== (before ?? undefined))
          await showRemote(service);
      } catch (error) {
        logger.debug('the remote could not be fetched during a run', { error: messageOf(error) });
      }
      if (!signal.aborted) plan();
    };
    const plan = (): void => {
      cancel = service.clock.setTimer(FRESH_MS, () => void fetchAgain());
    };
    plan();
    return () => cancel();
  }
}
