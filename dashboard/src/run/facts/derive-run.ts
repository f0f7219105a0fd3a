import type { EndedRun } from '../../../../src/contract/ended-rows.ts';
import {
  formatAge,
  formatCost,
  formatCount,
  formatDuration,
  formatPlural,
} from '../../../../src/contract/format.ts';
import type { RunDetail } from '../../../../src/contract/runs.ts';
import type { StateSnapshot } from '../../../../src/contract/state.ts';
import { OUTCOMES, type Tone } from '../../view/derive-ended.ts';
import { webAddress } from '../../view/derive-issue.ts';
import { branchAddress } from './branch-address.ts';

export interface RunView {
  readonly runId: string;
  readonly issueId: string | null;
  readonly identifier: string;
  readonly title: string;
  readonly issueUrl: string | null;
  readonly live: boolean;
  /** `Delivered`, `Running`, `Lost` */
  readonly status: string;
  readonly tone: Tone;
  readonly summary: string;
  readonly branch: string | null;
  readonly branchUrl: string | null;
  readonly pullRequestUrl: string | null;
  /** Numbers one looks for first. */
  readonly vitals: readonly Fact[];
  /** Everything else that is known. */
  readonly facts: readonly Fact[];
  /** Commits that nobody else can see. */
  readonly unpushed: boolean;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

type Row = NonNullable<RunDetail['running']> | NonNullable<RunDetail['ended']>;

/** What there is to say of a run; the worker's state is newer than what was read of the run itself. */
export function deriveRun(detail: RunDetail, snapshot: StateSnapshot | null, workerNow: number): RunView {
  const running = snapshot?.running.find(({ run_id: id }) => id === detail.run_id) ?? detail.running;
  const { ended } = detail;
  const row: Row | null = ended ?? running;
  const live = ended === null && running !== null && detail.status !== 'lost';
  const pullRequestUrl = webAddress(ended?.pull_request_url ?? null);
  const branch = row?.branch ?? null;
  return {
    runId: detail.run_id,
    issueId: row?.issue_id ?? null,
    identifier: row?.issue_identifier ?? detail.issue_identifier ?? 'unknown issue',
    title: row?.title ?? '',
    issueUrl: webAddress(row?.issue_url ?? null),
    live,
    ...statusOf(detail, live, running?.stopping),
    branch,
    branchUrl: branchAddress(pullRequestUrl, branch),
    pullRequestUrl,
    vitals: vitalsOf(row, running, detail, workerNow),
    facts: factsOf(detail, row, workerNow),
    unpushed: ended !== null && ended.pushed === false && (ended.commits ?? 0) > 0,
  };
}

function statusOf(
  { ended, status }: RunDetail,
  live: boolean,
  stopping: string | undefined,
): Pick<RunView, 'status' | 'tone' | 'summary'> {
  if (ended !== null) {
    const { label, tone } = OUTCOMES[ended.outcome];
    return { status: label, tone, summary: ended.summary };
  }
  if (live)
    return { status: stopping === undefined ? 'Running' : 'Stopping', tone: 'good', summary: stopping ?? '' };
  return {
    status: status === 'lost' ? 'Lost' : 'Ended',
    tone: 'bad',
    summary: 'This run ended together with its worker; its timeline is what is left of it.',
  };
}

function vitalsOf(
  row: Row | null,
  running: RunDetail['running'],
  { ended }: RunDetail,
  workerNow: number,
): readonly Fact[] {
  if (row === null) return [];
  const seconds =
    ended?.runtime_seconds ?? Math.max(0, (workerNow - Date.parse(running?.started_at ?? '')) / 1000);
  const turns =
    ended === null ? `${running?.turn_count ?? 0} of ${running?.max_turns ?? 0}` : String(ended.turns);
  const { input_tokens: input, output_tokens: output, total_tokens: total } = row.tokens;
  return [
    { label: 'Time', value: formatDuration(seconds) },
    { label: 'Turns', value: turns },
    {
      label: 'Tokens',
      value: `${formatCount(total)} (${formatCount(input)} in, ${formatCount(output)} out)`,
    },
    { label: 'Cost', value: row.cost_usd === undefined ? 'not told' : formatCost(row.cost_usd) },
    { label: 'Agent', value: agentOf(row) },
  ];
}

function agentOf(row: Row): string {
  const model = 'agent_model' in row ? row.agent_model : undefined;
  const names = [row.agent_provider, model, row.agent_profile && `profile ${row.agent_profile}`];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))].join(' · ') || 'unknown';
}

function factsOf(
  { facts, ended, running, timeline }: RunDetail,
  row: Row | null,
  now: number,
): readonly Fact[] {
  const started = facts?.started_at ?? running?.started_at;
  const all: (readonly [string, string | null | undefined])[] = [
    ['State in the tracker', facts === null ? row?.state : `${facts.state_before} → ${ended?.state ?? '?'}`],
    ['Handed over', facts === null ? null : facts.handed_off ? 'by the agent' : 'no'],
    ['How it ended', facts?.end],
    [
      'Started',
      started === undefined ? null : `${started} (${formatAge((now - Date.parse(started)) / 1000)})`,
    ],
    [
      'Ended',
      ended === null ? null : `${ended.ended_at} (${formatAge((now - Date.parse(ended.ended_at)) / 1000)})`,
    ],
    ['Attempt', facts?.attempt?.toString() ?? running?.retry_attempt?.toString()],
    ['Commits', describeCommits(ended)],
    ['Pushed', ended?.pushed == null ? null : ended.pushed ? 'yes' : 'no'],
    ['Head commit', facts?.head_commit],
    ['Files changed', facts?.files_changed?.toString()],
    [
      'Not committed',
      facts?.uncommitted_files == null ? null : formatPlural(facts.uncommitted_files, 'file'),
    ],
    ['Why this agent', row?.agent_reason],
    ['Model', facts?.model],
    ['Session', facts?.session_id ?? running?.session_id],
    ['Workspace', facts?.workspace_path ?? running?.workspace_path],
    ['Run', row?.run_id],
    [
      'Transcript',
      timeline === null
        ? null
        : `${formatPlural(timeline.reported, 'event')}, ${formatPlural(timeline.dropped, 'event')} not kept`,
    ],
  ];
  return all.flatMap(([label, value]) =>
    value === null || value === undefined || value === '' ? [] : [{ label, value }],
  );
}

function describeCommits(ended: EndedRun | null): string | null {
  if (ended === null || ended.commits === null) return null;
  const fresh = ended.new_commits === null ? '' : `, ${ended.new_commits} of this run`;
  return `${ended.commits} ahead of the base${fresh}`;
}
