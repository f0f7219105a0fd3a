import { timeoutSignal } from '../../domain/timeout-signal.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { WorkspacesContext } from '../context.ts';
import type { Layout } from '../files/layout.ts';
import { cleanLine } from '../git/remote-answer.ts';
import { readSeen, writeSeen } from '../ownership/seen-branch.ts';

const PATIENCE_MS = 30_000;
const MAX_AUTHOR_LENGTH = 120;

export interface RemoteTip {
  readonly layout: Layout;
  readonly key: string;
  readonly tip: string;
  readonly mirrorPath: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * True when the remote's branch is where neither a run began nor this worker put it: somebody else pushed, another worker
 * perhaps. What people push between runs is taken up when the next run begins, and is no surprise.
 */
export async function isForeign(layout: Layout, key: string, tip: string | null): Promise<boolean> {
  const seen = tip === null ? null : await readSeen(layout, key);
  return tip !== null && seen !== null && !seen.known.includes(tip);
}

/** Says it once, and keeps it for the warnings. Call it with the key's lock held. A failure changes nothing else. */
export async function noteForeign(context: WorkspacesContext, remote: RemoteTip): Promise<void> {
  const { layout, key, tip: commit } = remote;
  try {
    const seen = await readSeen(layout, key);
    if (seen === null || seen.known.includes(commit)) return;
    const author = await authorOf(context, remote);
    const known = [...seen.known, commit];
    await writeSeen(layout, key, { ...seen, known, foreign: { commit, author, at: Date.now() } });
    context.logger.warn(
      'a commit came to the branch of an issue after its run had begun, not through this worker',
      {
        issue_identifier: seen.identifier,
        branch: seen.branch,
        commit,
        author,
      },
    );
  } catch (error) {
    context.logger.warn('a push from elsewhere could not be noted', { commit, error: messageOf(error) });
  }
}

/** Fetches when the mirror has not got the commit yet. */
async function authorOf(context: WorkspacesContext, remote: RemoteTip): Promise<string | null> {
  const { git, mirrors, repo } = context;
  const { tip, mirrorPath } = remote;
  const signal = timeoutSignal(PATIENCE_MS, [remote.signal]);
  const read = async (): Promise<string | null> => {
    const action = 'reading who made a commit';
    const args = ['show', '--no-patch', '--format=%an <%ae>', '--end-of-options', tip, '--'];
    const { code, stdout } = await git.attempt(args, { cwd: mirrorPath, action, signal });
    const line = cleanLine(stdout.split('\n')[0] ?? '', null).slice(0, MAX_AUTHOR_LENGTH);
    return code === 0 && line !== '' ? line : null;
  };
  const author = await read();
  if (author !== null || repo === null) return author;
  await mirrors.refresh(repo.cloneUrl, signal).catch(() => {});
  return read();
}
