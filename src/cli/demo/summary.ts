import type { StateSnapshot } from '../../contract/state.ts';
import { type Cell, formatListing } from '../terminal/format-table.ts';
import type { Look } from '../terminal/look.ts';
import type { Git } from './demo-git.ts';
import { DEMO_BRANCH, DEMO_ISSUES, type DemoIssue } from './scenario.ts';
import type { Scratch } from './scratch.ts';

/** What became of one issue, read from the remote and the issue file, not from the worker. */
export interface DemoFact {
  readonly issue: DemoIssue;
  readonly state: string;
  readonly branch: string | null;
  /** Commits of the issue in the remote, merged or on its branch. */
  readonly commits: number;
  /** The worker's word for what holds it, when something does. */
  readonly blockedBy: string | null;
  /** What is not as it should be, or null. */
  readonly problem: string | null;
}

export async function collectFacts(
  scratch: Scratch,
  git: Git,
  snapshot: StateSnapshot,
): Promise<readonly DemoFact[]> {
  const branches = (
    await git(scratch.remote, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
  ).split('\n');
  const listing = await scratch.issues.list();
  const facts: DemoFact[] = [];
  for (const issue of DEMO_ISSUES) {
    const entry = listing.load(issue.id);
    const state = entry?.kind === 'issue' ? entry.content.fields.state : 'unreadable';
    const mine = branches.filter((name) => name.startsWith('ai/') && name.endsWith(issue.id));
    const commits = await countCommits(git, scratch.remote, issue.id, mine);
    const blocked = snapshot.blocked.find((row) => row.issue_identifier === issue.id);
    const fact = { issue, state, branch: mine[0] ?? null, commits, blockedBy: blocked?.method ?? null };
    const twice = mine.length > 1 ? `has ${mine.length} branches` : null;
    facts.push({ ...fact, problem: twice ?? whatIsWrong(fact) });
  }
  return facts;
}

async function countCommits(
  git: Git,
  remote: string,
  id: string,
  branches: readonly string[],
): Promise<number> {
  const revisions = [...branches, DEMO_BRANCH];
  const log = await git(remote, 'log', '--no-merges', '--format=%s', ...revisions, '--');
  return log.split('\n').filter((subject) => subject.startsWith(`${id}:`)).length;
}

function whatIsWrong(fact: Omit<DemoFact, 'problem'>): string | null {
  const { ends } = fact.issue;
  if (ends.kind === 'blocked') {
    return fact.blockedBy === ends.method ? null : `should be held by ${ends.method}`;
  }
  const wanted = ends.kind === 'approved' ? 'Done' : ends.state;
  if (fact.state !== wanted) return `should be in ${wanted}`;
  return fact.commits >= ends.commits ? null : `should have ${ends.commits} commits in the remote`;
}

/** True when every issue is where the scenario ends. */
export function isFinished(facts: readonly DemoFact[]): boolean {
  return facts.every((fact) => fact.problem === null);
}

/** The same for a program: what became of each issue, and where to look. */
export function summaryJson(
  facts: readonly DemoFact[],
  scratch: Scratch,
  url: string,
): Readonly<Record<string, unknown>> {
  return {
    ok: isFinished(facts),
    issues: facts.map(({ issue, state, branch, commits, blockedBy, problem }) => ({
      issue_identifier: issue.id,
      shows: issue.shows,
      state,
      branch,
      commits,
      blocked_by: blockedBy,
      problem,
    })),
    remote: scratch.remote,
    issues_path: scratch.issues.path,
    directory: scratch.directory,
    url,
  };
}

export function formatSummary(
  facts: readonly DemoFact[],
  scratch: Scratch,
  url: string | null,
  look: Look,
): string {
  const rows = facts.map((fact): Cell[] => [
    fact.problem === null ? { text: 'ok', tone: 'good' } : { text: '!!', tone: 'bad' },
    fact.issue.id,
    fact.blockedBy === null ? fact.state : `${fact.state}, blocked`,
    fact.branch ?? '-',
    String(fact.commits),
    fact.problem ?? fact.issue.shows,
  ]);
  const table = formatListing(['', 'issue', 'state', 'branch', 'commits', 'shows'], rows, look).trimEnd();
  const pushed = facts.reduce((sum, fact) => sum + fact.commits, 0);
  const branches = facts.filter((fact) => fact.branch !== null).length;
  return [
    '',
    table,
    '',
    `${branches} branches and ${pushed} commits are in the remote. Look around:`,
    `  git -C ${scratch.remote} log --oneline --graph --all`,
    `  ls ${scratch.issues.path}`,
    ...(url === null ? [] : [`  ${url}/`]),
    `Remove it all with: rm -rf ${scratch.directory}`,
    '',
  ].join('\n');
}
