import { timeoutSignal } from '../../domain/timeout-signal.ts';
import type { Git } from '../git/git.ts';
import { readRefFile } from '../git/read-ref-files.ts';
import type { KnownRemote } from './evidence.ts';

const REMOTE_PATIENCE_MS = 30_000;

/** What the worker's own mirror knows, and what the remote says when it is asked. */
export async function knownRemote(
  git: Git,
  mirrorPath: string,
  baseBranch: string,
  stop?: AbortSignal,
): Promise<KnownRemote> {
  return {
    baseTip: await readRefFile(mirrorPath, `refs/remotes/origin/${baseBranch}`),
    tips: (branches) => askRemote(git, mirrorPath, branches, stop),
  };
}

async function askRemote(
  git: Git,
  mirrorPath: string,
  branches: readonly string[],
  stop?: AbortSignal,
): Promise<ReadonlyMap<string, string> | null> {
  if (branches.length === 0) return new Map();
  try {
    const refs = branches.map((branch) => `refs/heads/${branch}`);
    const output = await git.run(['ls-remote', 'origin', ...refs], {
      cwd: mirrorPath,
      action: `asking the remote for ${branches[0]}`,
      network: true,
      signal: timeoutSignal(REMOTE_PATIENCE_MS, [stop]),
    });
    const lines = output.split('\n').map((line) => line.split('\t'));
    return new Map(
      lines.flatMap(([id = '', ref = '']): [string, string][] =>
        ref.startsWith('refs/heads/') ? [[ref.slice('refs/heads/'.length), id]] : [],
      ),
    );
  } catch {
    return null;
  }
}
