import type { RunEvidence } from '../../domain/run-outcome.ts';
import type { KnownFacts } from '../ownership/known-facts.ts';
import { readOwnCommits } from './own-commits.ts';
import type { RepositoryView } from './repository-view.ts';
import type { RepositoryStatus } from './status.ts';

/** What a run is measured against. */
export interface EvidenceBase {
  /** Null when the base is not known: the remote's default branch is used. */
  readonly baseBranch: string | null;
  readonly headAtStart: string | null;
  /** What the worker itself knows of the remote; null without a mirror: then the workspace's own refs have to do. */
  readonly remote: KnownRemote | null;
  /** Where to keep what was found out on the way. */
  readonly facts?: KnownFacts;
}

/** Nothing here comes from the workspace, whose refs an agent can write as it likes. */
export interface KnownRemote {
  /** Of the base branch; null when the remote has none. */
  readonly baseTip: string | null;
  /** Asks the remote where branches are; those it lacks are left out. Null when it cannot be asked. */
  tips(branches: readonly string[]): Promise<ReadonlyMap<string, string> | null>;
}

const NOTHING_KNOWN: RepositoryStatus = { head: null, uncommitted: new Set() };

export async function readEvidence(view: RepositoryView, base: EvidenceBase): Promise<RunEvidence> {
  const branch = await view.checkedOutBranch();
  await view.scan();
  const { head, uncommitted } = (await view.status()) ?? NOTHING_KNOWN;
  const shared = { branch, headCommit: head, uncommittedFiles: uncommitted.size, pullRequestUrl: null };
  if (head === null) {
    return { ...shared, commitsAhead: null, newCommits: null, pushed: null, filesChanged: uncommitted.size };
  }
  const baseCommit = base.remote === null ? await findBase(view, base.baseBranch) : base.remote.baseTip;
  const { commitsAhead, newCommits, changed } = await readWork(view, { ...base, baseCommit }, head);
  return {
    ...shared,
    commitsAhead,
    newCommits,
    pushed: commitsAhead === 0 ? true : await isPushed(view, branch, head, base.remote),
    filesChanged: new Set([...uncommitted, ...changed]).size,
  };
}

interface Work {
  readonly commitsAhead: number | null;
  readonly newCommits: number | null;
  readonly changed: readonly string[];
}

async function readWork(
  view: RepositoryView,
  { baseCommit: base, headAtStart, facts }: EvidenceBase & { readonly baseCommit: string | null },
  head: string,
): Promise<Work> {
  const own = base === null || base === head ? null : await readOwnCommits(view, base, head);
  if (own !== null && base !== null && own.onto === base) facts?.noteBehind(view.workTree, head, base, 0);
  const commitsAhead = own === null ? await countFrom(view, base, head) : own.ids.length;
  const since = headAtStart === null || own === null ? -1 : own.ids.indexOf(headAtStart);
  const isFromBase = headAtStart === base || (own !== null && headAtStart === own.onto);
  const newCommits = isFromBase
    ? commitsAhead
    : since === -1
      ? await countFrom(view, headAtStart, head)
      : since;
  return { commitsAhead, newCommits, changed: own?.changed ?? (await changedPaths(view, base, head)) };
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

/** Commits that `head` has and `from` lacks; null when that cannot be told. */
export async function countFrom(
  view: RepositoryView,
  from: string | null,
  head: string,
): Promise<number | null> {
  if (from === null || from === head) return from === null ? null : 0;
  const answer = await view.query(['rev-list', '--count', `${from}..${head}`, '--']);
  return answer === null ? null : Number(answer);
}

/** Remote branches a workspace may name as holders of its head; more is no answer to anything. */
const MAX_CLAIMS = 20;

/** What the workspace says about the remote is a hint where to look; the remote's own word counts. Null: it cannot be asked. */
async function isPushed(
  view: RepositoryView,
  branch: string | null,
  head: string,
  remote: KnownRemote | null,
): Promise<boolean | null> {
  if (remote !== null && branch !== null) {
    const tips = await remote.tips([branch]);
    if (tips === null) return null;
    const own = tips.get(branch);
    if (own === head) return true;
    if (own !== undefined && (await view.query(['merge-base', '--is-ancestor', head, own])) !== null)
      return true;
  }
  const claims = await claimedHolders(view, head);
  if (remote === null) return claims === null ? null : claims.size > 0;
  const others = [...(claims ?? [])].filter(([name]) => name !== branch);
  if (others.length === 0) return false;
  const tips = await remote.tips(others.map(([name]) => name));
  return tips === null ? null : others.some(([name, tip]) => tips.get(name) === tip);
}

/** Branches of the remote that contain the head, as the workspace believes; null when its refs cannot be read. */
async function claimedHolders(view: RepositoryView, head: string): Promise<Map<string, string> | null> {
  const format = '--format=%(objectname) %(refname)';
  const lines = await view.query(['for-each-ref', format, `--contains=${head}`, 'refs/remotes']);
  if (lines === null) return null;
  const claim = /^([0-9a-f]{40,64}) refs\/remotes\/[^/]+\/([\x21-\x7e]{1,200})$/;
  const claims = lines.split('\n').flatMap((line): [string, string][] => {
    const [, tip, name] = claim.exec(line) ?? [];
    return tip === undefined || name === undefined ? [] : [[name, tip]];
  });
  return new Map(claims.slice(0, MAX_CLAIMS));
}

async function changedPaths(view: RepositoryView, base: string | null, head: string): Promise<string[]> {
  if (base === null || base === head) return [];
  const namesOf = (range: string): Promise<string | null> =>
    view.query(['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', range, '--'], { bytes: true });
  // From where the two parted; histories without a common commit are compared as they are.
  const names = (await namesOf(`${base}...${head}`)) ?? (await namesOf(`${base}..${head}`));
  return (names ?? '').split('\0').filter((name) => name !== '');
}
