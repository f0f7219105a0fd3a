import type { BlockedRow } from '../../../src/contract/claim-rows.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { deriveIssue, type IssueView } from './derive-issue.ts';
import { formatAge, formatCount, formatDuration } from './format.ts';

export interface BlockedView {
  readonly key: string;
  readonly issue: IssueView;
  readonly state: string;
  readonly heading: string;
  readonly reason: string;
  readonly question: string | null;
  readonly todo: string;
  readonly age: string;
  readonly branch: string | null;
  readonly spent: string;
}

interface Advice {
  readonly heading: string;
  readonly todo: string;
}

const AGAIN = 'then move the issue out of its active state and back';

const ADVICE: Readonly<Record<string, Advice>> = {
  continuation_budget: {
    heading: 'Used up its turns',
    todo: `Look at what the branch holds. To let it go on, make the issue smaller or clearer, ${AGAIN}.`,
  },
  budget_exceeded: {
    heading: 'Used up its budget',
    todo: `Raise the limit in the workflow or make the issue smaller, ${AGAIN}.`,
  },
  no_progress: {
    heading: 'Runs change nothing',
    todo: `Say in the issue what is missing or already done, ${AGAIN}.`,
  },
};

const QUESTION: Advice = {
  heading: 'Asks a question',
  todo: `Answer in the issue, ${AGAIN}.`,
};

const UNKNOWN: Advice = {
  heading: 'Needs a decision',
  todo: `Decide in the issue, ${AGAIN}.`,
};

/** The one that waits longest comes first. */
export function deriveBlocked(snapshot: StateSnapshot, workerNow: number): readonly BlockedView[] {
  return snapshot.blocked
    .toSorted((a, b) => Date.parse(a.blocked_at) - Date.parse(b.blocked_at))
    .map((row) => ({
      key: row.issue_id,
      issue: deriveIssue(row),
      state: row.state,
      ...adviceFor(row),
      reason: row.error,
      question: row.question ?? null,
      age: formatAge((workerNow - Date.parse(row.blocked_at)) / 1000),
      branch: row.branch,
      spent: `${formatCount(row.tokens.total_tokens)} tokens, ${formatDuration(row.runtime_seconds)}`,
    }));
}

function adviceFor(row: BlockedRow): Advice {
  const known = Object.hasOwn(ADVICE, row.method) ? ADVICE[row.method] : undefined;
  return known ?? (row.question === undefined ? UNKNOWN : QUESTION);
}
