import type { RepoConfig } from '../../config/config.ts';
import type { PushResult } from '../../domain/push.ts';
import type { WorkspacesContext } from '../context.ts';
import type { GitCredential } from '../git/credential.ts';
import { gitFailure } from '../git/errors.ts';
import { cleanLine, type RefAnswer, readRefAnswer, remoteLines } from '../git/remote-answer.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import { refusal } from './refusal.ts';
import type { CheckedCommit } from './take-commit.ts';

export interface RemoteState {
  /** The branch a fresh clone checks out; null when the remote does not say. */
  readonly head: string | null;
  readonly tip: string | null;
}

/** What the remote has of a branch now. */
export async function readRemote(
  { git, root }: WorkspacesContext,
  { cloneUrl }: RepoConfig,
  branch: string,
  signal: AbortSignal,
): Promise<RemoteState> {
  const ref = `refs/heads/${branch}`;
  const listing = await git.run(['ls-remote', '--symref', '--', cloneUrl, 'HEAD', ref], {
    cwd: root,
    action: `asking ${repositoryIdentity(cloneUrl)} for ${branch}`,
    network: true,
    signal,
  });
  const lines = listing.split('\n').map((line) => line.split('\t'));
  const head = lines.find(([what = '', name]) => what.startsWith('ref: ') && name === 'HEAD');
  const tip = lines.find(([, name]) => name === ref);
  return { head: head?.[0]?.slice('ref: '.length) ?? null, tip: tip?.[0] ?? null };
}

interface SendRequest {
  readonly repo: RepoConfig;
  readonly branch: string;
  readonly taken: CheckedCommit;
  /** The remote's tip that may be replaced; null for a fast-forward only. */
  readonly lease: string | null;
  readonly credential: GitCredential | null;
  readonly signal: AbortSignal;
}

/** The push itself: one branch, from a repository of ours, to the address of the workflow. */
export async function sendBranch({ git }: WorkspacesContext, request: SendRequest): Promise<PushResult> {
  const { repo, branch, taken, lease, credential, signal } = request;
  const ref = `refs/heads/${branch}`;
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', '--signed=no', '--recurse-submodules=no'];
  const replace = lease === null ? [] : [`--force-with-lease=${ref}:${lease}`];
  const action = `pushing ${branch} to ${repositoryIdentity(repo.cloneUrl)}`;
  const result = await git.attempt(
    ['push', ...flags, ...replace, '--', repo.cloneUrl, `${taken.commit}:${ref}`],
    { cwd: taken.repository, action, network: true, signal },
  );
  const said = remoteLines(result.stderr, credential);
  const answer = readRefAnswer(result.stdout, ref);
  if (answer === null) {
    const { message, hint } = gitFailure(action, result, 0);
    return refusal('push_failed', cleanLine(`${message}. ${hint ?? ''}`, credential), said);
  }
  if (answer.flag === '!') return rejected(branch, answer, said, credential);
  return { ok: true, branch, commit: taken.commit, changed: answer.flag !== '=', remoteLines: said };
}

function rejected(
  branch: string,
  { summary }: RefAnswer,
  said: readonly string[],
  credential: GitCredential | null,
): PushResult {
  const reason = cleanLine(summary, credential);
  if (/fetch first|non-fast-forward|stale info/.test(summary)) {
    const advice = 'Run git fetch and merge or rebase, or push with force to replace commits of your own.';
    return refusal(
      'not_fast_forward',
      `The remote's ${branch} has other commits: ${reason}. ${advice}`,
      said,
    );
  }
  return refusal('rejected', `The remote refused ${branch}: ${reason}`, said);
}
