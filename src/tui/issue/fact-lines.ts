import type { BlockedRow, RetryRow, RunningRow } from '../../contract/claim-rows.ts';
import type { EndedRun } from '../../contract/ended-rows.ts';
import {
  formatAge,
  formatCost,
  formatCount,
  formatCountdown,
  formatDuration,
} from '../../contract/format.ts';
import type { IssueDetail } from '../../contract/issue-detail.ts';
import type { BoardRow } from '../board/rows.ts';
import { cleanLine } from '../text/clean.ts';
import { type Line, line, span } from '../text/paint.ts';
import { padTo, wrapTo } from '../text/width.ts';

type Fact = readonly [name: string, value: string | null | undefined];

const NAME_COLUMNS = 12;

/** Everything that is known about an issue, from its row on the board when the worker has no more to say. */
export function factLines(
  row: BoardRow | null,
  detail: IssueDetail | null,
  now: number,
  columns: number,
): readonly Line[] {
  const facts: readonly Fact[] = [
    ...(row === null ? [] : rowFacts(row, now)),
    ...(detail === null ? [] : detailFacts(detail, now)),
  ];
  const seen = new Set<string>();
  return facts.flatMap(([name, value]) => {
    const text = cleanLine(value ?? '');
    if (text === '' || (seen.has(name) && name !== 'Ended' && name !== 'Event')) return [];
    seen.add(name);
    return wrapTo(text, Math.max(10, columns - NAME_COLUMNS)).map((part, index) =>
      line(span(padTo(index === 0 ? name : '', NAME_COLUMNS), 'quiet'), part),
    );
  });
}

function rowFacts(row: BoardRow, now: number): readonly Fact[] {
  switch (row.section) {
    case 'running':
      return runningFacts(row.source, now);
    case 'needs':
      return heldFacts(row.source, now);
    case 'stopped':
      return [
        ['State', row.source.state],
        ['Status', `closed by hand ${ago(row.source.stopped_at, now)}`],
      ];
    case 'waiting':
      return [
        ['State', row.source.state],
        ['Because', row.source.reason],
        ['Agent', agentText(row.source)],
      ];
    case 'retrying':
      return retryFacts(row.source, now);
    case 'review':
    case 'recent':
      return endedFacts(row.source, now);
  }
}

function runningFacts(source: RunningRow, now: number): readonly Fact[] {
  return [
    ['State', source.state],
    ['Status', source.stopping === undefined ? 'running' : `being stopped (${source.stopping})`],
    ['Phase', source.phase],
    ['Turn', `${source.turn_count}${source.max_turns === 0 ? '' : ` of ${source.max_turns}`}`],
    ['Running', formatDuration((now - Date.parse(source.started_at)) / 1000)],
    ['Tokens', tokensText(source.tokens)],
    ['Cost', source.cost_usd === undefined ? null : formatCost(source.cost_usd)],
    ['Agent', agentText(source)],
    ['Session', source.session_id],
    ['Process', source.codex_app_server_pid === undefined ? null : String(source.codex_app_server_pid)],
    ['Branch', source.branch],
    ['Latest', source.last_message],
  ];
}

function heldFacts(source: BlockedRow, now: number): readonly Fact[] {
  return [
    ['State', source.state],
    ['Status', `held ${ago(source.blocked_at, now)} (${source.method.replaceAll('_', ' ')})`],
    ['Question', source.question],
    ['Because', source.error],
    ['Tokens', tokensText(source.tokens)],
    ['Agent', agentText(source)],
    ['Branch', source.branch],
  ];
}

function retryFacts(source: RetryRow, now: number): readonly Fact[] {
  const due = formatCountdown((Date.parse(source.due_at) - now) / 1000);
  return [
    ['State', source.state],
    ['Next run', `${source.kind.replaceAll('_', ' ')}, try ${source.attempt}, ${due}`],
    ['Waits for', source.reason],
    ['Because', source.error],
    ['Agent', agentText(source)],
  ];
}

function endedFacts(source: EndedRun, now: number): readonly Fact[] {
  return [
    ['State', source.state],
    ['Outcome', `${source.outcome.replaceAll('_', ' ')} ${ago(source.ended_at, now)}`],
    ['Summary', source.summary],
    ['Request', source.pull_request_url],
    ['Branch', source.branch],
    ['Tokens', tokensText(source.tokens)],
    ['Cost', source.cost_usd === undefined ? null : formatCost(source.cost_usd)],
    ['Agent', agentText(source)],
  ];
}

function ago(at: string | undefined, now: number): string {
  return at === undefined ? '' : formatAge((now - Date.parse(at)) / 1000);
}

function detailFacts(detail: IssueDetail, now: number): readonly Fact[] {
  const { attempts } = detail;
  return [
    ['State', detail.state],
    ['Status', detail.status.replaceAll('_', ' ')],
    ['Page', detail.issue_url],
    ['Workspace', detail.workspace.path],
    ['Runs', `${attempts.restart_count + (detail.running !== null || detail.ended.length > 0 ? 1 : 0)}`],
    ['Problem', detail.last_error],
    ...detail.ended
      .slice(0, 8)
      .map(
        (run): Fact => [
          'Ended',
          `${formatAge((now - Date.parse(run.ended_at)) / 1000)}, ${run.outcome.replaceAll('_', ' ')}: ${run.summary}`,
        ],
      ),
    ...detail.recent_events
      .slice(0, 20)
      .map(
        (event): Fact => [
          'Event',
          `${formatAge((now - Date.parse(event.at)) / 1000)}, ${event.kind.replaceAll('_', ' ')}: ${event.message}`,
        ],
      ),
  ];
}

function tokensText(tokens: {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
}): string {
  return `in ${formatCount(tokens.input_tokens)} out ${formatCount(tokens.output_tokens)} total ${formatCount(tokens.total_tokens)}`;
}

function agentText(row: {
  readonly agent_provider?: string | undefined;
  readonly agent_profile?: string | undefined;
  readonly agent_reason?: string | undefined;
  readonly agent_model?: string | undefined;
}): string | null {
  if (row.agent_provider === undefined) return null;
  const profile = row.agent_profile === undefined ? '' : `, profile ${row.agent_profile}`;
  const reason = row.agent_reason === undefined ? '' : ` (${row.agent_reason})`;
  return `${row.agent_provider}${row.agent_model === undefined ? '' : ` ${row.agent_model}`}${profile}${reason}`;
}
