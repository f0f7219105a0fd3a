import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import { formatAge, formatCount, formatDuration, formatPlural } from '../../../src/contract/format.ts';
import type { WireOutcome } from '../../../src/contract/wire.ts';
import { deriveIssue, type IssueView, webAddress } from './derive-issue.ts';

export type Tone = 'good' | 'plain' | 'attention' | 'bad';

export interface EndedView {
  readonly key: string;
  readonly issue: IssueView;
  readonly outcome: string;
  readonly tone: Tone;
  readonly summary: string;
  readonly branch: string | null;
  readonly commits: string | null;
  readonly pullRequestUrl: string | null;
  readonly effort: string;
  readonly age: string;
  readonly endedAt: string;
}

export const OUTCOMES: Readonly<Record<WireOutcome, { label: string; tone: Tone }>> = {
  delivered: { label: 'Delivered', tone: 'good' },
  progressed: { label: 'Progressed', tone: 'plain' },
  no_progress: { label: 'No progress', tone: 'attention' },
  blocked: { label: 'Blocked', tone: 'attention' },
  canceled: { label: 'Canceled', tone: 'plain' },
  failed: { label: 'Failed', tone: 'bad' },
  timed_out: { label: 'Timed out', tone: 'bad' },
  stalled: { label: 'Stalled', tone: 'bad' },
};

export function deriveEnded(runs: readonly EndedRun[], workerNow: number): readonly EndedView[] {
  return runs.map((run) => ({
    key: run.run_id,
    issue: deriveIssue(run, run.run_id),
    outcome: OUTCOMES[run.outcome].label,
    tone: OUTCOMES[run.outcome].tone,
    summary: run.summary,
    branch: run.branch,
    commits: describeCommits(run),
    pullRequestUrl: webAddress(run.pull_request_url),
    effort: [
      formatPlural(run.turns, 'turn'),
      `${formatCount(run.tokens.total_tokens)} tokens`,
      formatDuration(run.runtime_seconds),
    ].join(' · '),
    age: formatAge((workerNow - Date.parse(run.ended_at)) / 1000),
    endedAt: run.ended_at,
  }));
}

/** Null when there is nothing to say; never claims more than was observed. */
function describeCommits(run: EndedRun): string | null {
  if (run.commits === null || run.branch === null) return null;
  const count = formatPlural(run.commits, 'commit');
  if (run.commits === 0 || run.pushed === null) return count;
  return `${count} ${run.pushed ? 'pushed' : 'not pushed'}`;
}
