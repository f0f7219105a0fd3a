import { timeoutSignal } from '../../domain/timeout-signal.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { deleteTree } from '../../process/helper/helper.ts';
import { aboutIssue, openLayout, type WorkspacesContext, withKeyLock } from '../context.ts';
import type { Layout } from '../files/layout.ts';
import { clearLeftovers } from '../files/leftovers.ts';
import { moveToTrash } from '../files/move-to-trash.ts';
import { assertOwnDirectory, childPath, pathKind } from '../files/path-safety.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import { listWorkspaces } from '../ownership/list-workspaces.ts';
import {
  deleteRecord,
  listRecords,
  type OwnershipRecord,
  readRecord,
  sameScope,
} from '../ownership/ownership-record.ts';
import { applyRetention } from '../rescue/apply-retention.ts';
import { withRescuesLock } from '../rescue/rescue-files.ts';
import { rescueWork } from '../rescue/save-rescue.ts';
import type { RemovalReport, RemoveOptions, Workspaces } from '../workspaces.ts';
import { isSurelyElsewhere } from './surely-elsewhere.ts';

/** How long a removal waits for the remote to say what it has. */
const REMOTE_PATIENCE_MS = 20_000;
const CLONE_PATIENCE_MS = 10 * 60_000;

export function createRemoval(context: WorkspacesContext): Pick<Workspaces, 'remove' | 'list'> {
  return {
    async remove(identifier, signal, options = {}) {
      const layout = await openLayout(context);
      const isMeant = (record: OwnershipRecord): boolean =>
        record.identifier === identifier || record.issueId === options.issueId;
      const records = (await listRecords(layout, context.scope)).filter(isMeant);
      let report: RemovalReport = { removed: false, rescuedTo: null };
      for (const { key } of records) {
        const purpose = `removing the workspace of ${identifier}`;
        const one = await withKeyLock(context, layout, key, purpose, signal, () =>
          removeLocked(context, layout, key, signal, options),
        );
        report = { removed: report.removed || one.removed, rescuedTo: one.rescuedTo ?? report.rescuedTo };
      }
      return report;
    },
    async list() {
      const layout = await openLayout(context);
      await clearLeftovers(layout);
      return listWorkspaces(layout, context.scope);
    },
  };
}

async function removeLocked(
  context: WorkspacesContext,
  layout: Layout,
  key: string,
  signal: AbortSignal,
  options: RemoveOptions,
): Promise<RemovalReport> {
  const record = await readRecord(layout, key);
  if (record === null || record === 'unreadable' || !sameScope(record, context.scope)) {
    return { removed: false, rescuedTo: null };
  }
  const path = childPath(layout.root, key);
  if ((await pathKind(path)) === 'missing') {
    await deleteRecord(layout, key);
    return { removed: false, rescuedTo: null };
  }
  await assertOwnDirectory(layout.root, path);
  const about = aboutIssue(context, record);
  await runBeforeRemove(about, record, path, options);
  return discardWorkspace(about, layout, record, { reason: options.reason ?? 'removed', signal });
}

async function runBeforeRemove(
  { logger }: WorkspacesContext,
  { key, issueId, identifier }: OwnershipRecord,
  path: string,
  options: RemoveOptions,
): Promise<void> {
  try {
    await options.beforeRemove?.({ path, key, issueId, identifier });
  } catch (error) {
    logger.warn('before_remove failed; the workspace is removed all the same', {
      workspace: path,
      reason: messageOf(error),
    });
  }
}

/**
 * Saves what exists nowhere else, then deletes a workspace and its record. Call it with the key's lock held and the
 * path found safe. When the work cannot be saved it throws, and everything stays.
 */
export async function discardWorkspace(
  context: WorkspacesContext,
  layout: Layout,
  record: OwnershipRecord,
  { reason, signal }: { readonly reason: string; readonly signal: AbortSignal },
): Promise<RemovalReport> {
  const path = childPath(layout.root, record.key);
  const rescuedTo = (await isSurelyElsewhere(context, layout, record, signal))
    ? null
    : await saveWork(context, layout, record, reason, signal);
  if (rescuedTo !== null) {
    await withRescuesLock(context.locks, layout, signal, () => applyRetention(context, layout));
    context.logger.info('saved unpushed work before removing a workspace', {
      workspace: path,
      rescue: rescuedTo,
    });
  }
  const trashed = await moveToTrash(path, layout.trash, record.key);
  await deleteRecord(layout, record.key);
  if (trashed !== null) await deleteTree(trashed);
  return { removed: true, rescuedTo };
}

async function saveWork(
  context: WorkspacesContext,
  layout: Layout,
  record: OwnershipRecord,
  reason: string,
  signal: AbortSignal,
): Promise<string | null> {
  const path = childPath(layout.root, record.key);
  const remote = await latestMirror(context, record, signal);
  const request = { record, path, reason, mirror: remote.mirror, signal, mend: remote.mend };
  return rescueWork(request, { ...context, layout });
}

interface LatestMirror {
  readonly mirror: Mirror | null;
  /** For a workspace that cannot be read: a mended mirror to try with, null when the mirror is not to blame. */
  mend(): Promise<Mirror | null>;
}

/** What the remote has now, so that only what it lacks is saved; its last known state when it cannot be reached. */
async function latestMirror(
  { mirrors, logger, repo }: WorkspacesContext,
  { repository, key }: OwnershipRecord,
  signal: AbortSignal,
): Promise<LatestMirror> {
  if (repository === null) return { mirror: null, mend: async () => null };
  const url = repo !== null && repositoryIdentity(repo.cloneUrl) === repository ? repo.cloneUrl : null;
  const mend = async (): Promise<Mirror | null> => (url === null ? null : mirrors.mend(url, signal));
  const fetch = (patienceMs: number): Promise<Mirror | null> => {
    const limited = timeoutSignal(patienceMs, [signal]);
    return url === null ? mirrors.refetch(repository, limited) : mirrors.refresh(url, limited);
  };
  try {
    return { mirror: await fetch(REMOTE_PATIENCE_MS), mend };
  } catch (error) {
    signal.throwIfAborted();
    const known = await mirrors.peek(repository, signal);
    if (known !== null) {
      logger.warn('the remote could not be asked before a removal; its last known state counts', {
        reason: messageOf(error),
      });
      return { mirror: known, mend };
    }
  }
  // Without a mirror nothing of the workspace can be read: then a whole clone is waited for.
  try {
    return { mirror: await fetch(CLONE_PATIENCE_MS), mend };
  } catch (error) {
    signal.throwIfAborted();
    return { mirror: null, mend: () => Promise.reject(notWithoutRemote(key, error)) };
  }
}

function notWithoutRemote(key: string, cause: unknown): AppError {
  const why = messageOf(cause);
  return new AppError(
    cause instanceof AppError ? cause.code : 'git_failed',
    `the workspace ${key} is kept: it borrows from a mirror that is gone, and ${why}`,
    {
      hint:
        (cause instanceof AppError ? cause.hint : undefined) ??
        'Make the remote reachable; it is removed then.',
      cause,
    },
  );
}
