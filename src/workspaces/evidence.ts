import type { RunEvidence } from '../domain/run-outcome.ts';
import type { RepositoryView } from './repository-view.ts';

/** What a run is measured against. */
export interface EvidenceBase {
  /** Null when the base is not known: the remote's default branch is used. */
  readonly baseBranch: string | null;
  readonly headAtStart: string | null;
  /** Asks the remote where a branch is; null when it cannot be asked. */
  askRemote(branch: string): Promise<RemoteAnswer | null>;
}

export interface RemoteAnswer {
  /** Null when the remote has no such branch. */
  readonly tip: string | null;
}

export async function readEvidence(view: RepositoryView, base: EvidenceBase): Promise<RunEvidence> {
  const branch = await view.checkedOutBranch();
  const head = await view.query(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const uncommitted = await uncommittedPaths(view);
  const shared = { branch, headCommit: head, uncommittedFiles: uncommitted.size, pullRequestUrl: null };
  if (head === null) {
    return { ...shared, commitsAhead: null, newCommits: null, pushed: null, filesChanged: uncommitted.size };
  }
  const baseCommit = await findBase(view, base.baseBranch);
  const commitsAhead = baseCommit === null ? null : await count(view, `${baseCommit}..${head}`);
  const changed = new Set([...uncommitted, ...(await changedPaths(view, baseCommit, head))]);
  return {
    ...shared,
    commitsAhead,
    newCommits: base.headAtStart === null ? null : await count(view, `${base.headAtStart}..${head}`),
    pushed: commitsAhead === 0 ? true : await isPushed(view, branch, head, base),
    filesChanged: changed.size,
  };
}

export async function findBase(view: RepositoryView, baseBranch: string | null): Promise<string | null> {
  const names = baseBranch === null ? ['HEAD', 'main', 'master'] : [baseBranch];
  for (const name of names) {
    const commit = await view.query([
      'rev-parse',
      '--verify',
      '--quiet',
      `refs/remotes/origin/${name}^{commit}`,
    ]);
    if (commit !== null) return commit;
  }
  return null;
}

async function count(view: RepositoryView, range: string): Promise<number | null> {
  const answer = await view.query(['rev-list', '--count', range, '--']);
  return answer === null ? null : Number(answer);
}

/** The remote's own word counts; what the workspace believes of it only when the remote cannot be asked. */
async function isPushed(
  view: RepositoryView,
  branch: string | null,
  head: string,
  base: EvidenceBase,
): Promise<boolean | null> {
  const answer = branch === null ? null : await base.askRemote(branch);
  if (answer !== null && answer.tip !== null) {
    if (answer.tip === head) return true;
    if ((await view.query(['merge-base', '--is-ancestor', head, answer.tip])) !== null) return true;
  }
  const names = await view.query([
    'for-each-ref',
    '--format=%(refname)',
    `--contains=${head}`,
    'refs/remotes',
  ]);
  const doubtful = answer === null ? null : `refs/remotes/origin/${branch}`;
  return names === null ? null : names.split('\n').some((name) => name !== '' && name !== doubtful);
}

async function changedPaths(view: RepositoryView, base: string | null, head: string): Promise<string[]> {
  if (base === null) return [];
  const fork = (await view.query(['merge-base', base, head])) ?? base;
  const flags = ['diff-tree', '-r', '-z', '--name-only', '--no-renames'];
  const names = await view.query([...flags, fork, head], { bytes: true });
  return (names ?? '').split('\0').filter((name) => name !== '');
}

async function uncommittedPaths(view: RepositoryView): Promise<Set<string>> {
  await view.scan();
  const flags = ['-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty'];
  const entries = ((await view.query(['status', '--porcelain=v1', ...flags], { bytes: true })) ?? '').split(
    '\0',
  );
  return new Set(entries.filter((entry) => entry.length > 3).map((entry) => entry.slice(3)));
}
