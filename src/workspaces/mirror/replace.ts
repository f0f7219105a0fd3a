import { rename, stat } from 'node:fs/promises';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { deleteTree } from '../../process/helper/helper.ts';
import { isDiskFull } from '../files/disk-space.ts';
import { pathKind } from '../files/path-safety.ts';
import { repositoryIdentity, stripUrlCredentials } from '../git/repository-url.ts';
import { ANOTHER_REPOSITORY } from './pack-record.ts';
import { cloneBeside, type MirrorJob } from './repository.ts';
import { salvage } from './salvage.ts';

/** So long a person can look at a mirror that was found damaged. */
const KEPT_MS = 7 * 86_400_000;

/**
 * Clones a damaged mirror anew, takes over what of it can be read, and puts the clone in its place. The damaged one
 * stays where it is until all that is done, and beside its successor for a week. Call it with the mirror's lock held.
 */
export async function replaceMirror(job: MirrorJob, reason: string): Promise<void> {
  const { path, logger } = job;
  const aside = `${path}.damaged`;
  logger.warn('a mirror is damaged; it is set aside and cloned anew', { mirror: path, reason, aside });
  try {
    const fresh = await cloneBeside(job);
    if (reason !== ANOTHER_REPOSITORY) await salvage(job, path, fresh);
    await deleteTree(aside);
    await rename(path, aside);
    await rename(fresh, path);
  } catch (error) {
    job.signal.throwIfAborted();
    throw beyondRepair(job, reason, error);
  }
  logger.info('a damaged mirror was replaced', { mirror: path, aside });
}

/** Deletes the damaged predecessor of a mirror when its time is over. */
export async function dropOldDamaged({ path }: MirrorJob): Promise<void> {
  const aside = `${path}.damaged`;
  if ((await pathKind(aside)) === 'missing') return;
  const stats = await stat(aside).catch(() => null);
  // The rename that put it there is its last change.
  if (stats === null || Date.now() - stats.ctimeMs > KEPT_MS) await deleteTree(aside);
}

function beyondRepair({ path, url }: MirrorJob, reason: string, cause: unknown): AppError {
  const why = messageOf(cause);
  const what = `the mirror of ${repositoryIdentity(url)} is damaged (${reason}) and cannot be replaced: ${why}`;
  const code = isDiskFull(why) ? 'disk_full' : cause instanceof AppError ? cause.code : 'git_failed';
  const isAboutDisk = !(cause instanceof AppError) || code === 'disk_full';
  const hint = isAboutDisk
    ? `Run \`rm -rf ${quote(path)}\`, with the rights it needs; the next run clones it again.`
    : `Run \`git ls-remote ${quote(stripUrlCredentials(url))}\` to see why the remote does not answer; as soon as it does, the next run clones it again.`;
  return new AppError(code, what, { hint, cause, context: { mirror: path } });
}

/** As one word of a shell command. */
function quote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
