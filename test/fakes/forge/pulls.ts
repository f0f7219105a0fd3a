import type { FakeIssue, ForgeStore } from './store.ts';

export interface FakeCheck {
  readonly name: string;
  /** In the words of commit statuses: success, failure, pending, error. */
  readonly state: string;
  readonly url: string;
  readonly summary: string;
}

export interface FakeText {
  readonly author: string;
  readonly association?: string;
  readonly body: string;
}

export interface FakeReview extends FakeText {
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
}

export interface FakeThread {
  readonly path: string;
  readonly line: number;
  readonly resolved: boolean;
  readonly comments: readonly FakeText[];
}

/** What a pull request has besides an issue. */
export interface FakePull {
  readonly head: string;
  readonly base: string;
  readonly headRepository: string;
  draft?: boolean;
  merged?: boolean;
  mergeable?: boolean | null;
  reviewers?: string[];
  checks?: FakeCheck[];
  reviews?: FakeReview[];
  threads?: FakeThread[];
}

export interface FakeBranch {
  /** Commits that the default branch lacks. */
  readonly ahead: number;
}

/** People who may review; everybody else is refused. */
export const REVIEWERS = ['rita', 'ada'];
export const HEAD_SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';

export function pullOf(issue: FakeIssue): FakePull {
  if (issue.pull === null) throw new Error(`#${issue.number} is no pull request`);
  return issue.pull;
}

/** Newest first. */
export function pullsOf(store: ForgeStore, state: string): readonly FakeIssue[] {
  return [...store.issues.values()]
    .filter((issue) => issue.pull !== null && (state === 'all' || issue.closed === (state === 'closed')))
    .reverse();
}

export interface WantedPull {
  readonly title: string;
  readonly head: string;
  readonly base: string;
  readonly body?: string;
  readonly draft?: boolean;
}

/** Why no forge would make it; null when it may be made. Without known branches everything may. */
export function whyNot(
  store: ForgeStore,
  { head, base }: WantedPull,
): 'head' | 'base' | 'no_commits' | 'exists' | null {
  if (store.branches === null) return null;
  const branch = store.branches.get(head);
  if (branch === undefined) return 'head';
  if (!store.branches.has(base)) return 'base';
  const isSame = ({ pull }: FakeIssue): boolean =>
    pull?.head === head && pull.base === base && pull.headRepository === 'octo/app';
  if (pullsOf(store, 'open').some(isSame)) return 'exists';
  return branch.ahead === 0 ? 'no_commits' : null;
}

export function addPull(store: ForgeStore, wanted: WantedPull): FakeIssue {
  const { title, body = '', head, base, draft = false } = wanted;
  return store.add({ title, body, author: 'bot', pull: { head, base, headRepository: 'octo/app', draft } });
}
