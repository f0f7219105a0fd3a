import { join } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { pathKind } from '../files/path-safety.ts';
import { gitFailure } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import type { Mirror, RefMap } from './mirrors.ts';

/** The mirror as it is; null when there is none that can be read. */
export async function peekMirror(
  { git, logger }: { readonly git: Git; readonly logger: Logger },
  path: string,
  signal: AbortSignal,
): Promise<Mirror | null> {
  const url = await remoteOf(git, path, signal);
  if (url === null) return null;
  return readMirror(git, path, url, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof AppError) || error.code !== 'git_failed') throw error;
    logger.warn('a mirror cannot be read', { mirror: path, reason: error.message });
    return null;
  });
}

/** Throws when a ref is broken or names an object that is not there: git alone would leave it out and go on. */
export async function readMirror(git: Git, path: string, url: string, signal: AbortSignal): Promise<Mirror> {
  const action = `reading the refs of ${path}`;
  const format = '--format=%(objectname) %(objecttype) %(refname)';
  const result = await git.attempt(['for-each-ref', format, 'refs/remotes/origin', 'refs/tags'], {
    cwd: path,
    action,
    signal,
  });
  if (result.code !== 0 || /ignoring (broken|dangling) ref|^error:/im.test(result.stderr))
    throw gitFailure(action, result, 0);
  return { path, identity: repositoryIdentity(url), url, refs: parseRefs(result.stdout) };
}

/** Where a mirror fetches from; null when there is no such mirror. */
export async function remoteOf(git: Git, path: string, signal: AbortSignal): Promise<string | null> {
  if ((await pathKind(path)) !== 'directory') return null;
  const result = await git.attempt(['config', '--file', join(path, 'config'), '--get', 'remote.origin.url'], {
    cwd: path,
    action: `reading the remote of ${path}`,
    signal,
  });
  return result.code === 0 ? result.stdout.trimEnd() : null;
}

function parseRefs(text: string): RefMap {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [id, , name] = line.split(' ');
    if (id !== undefined && name !== undefined) refs.set(name, id);
  }
  return refs;
}
