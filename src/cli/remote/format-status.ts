import type { IssueDetail } from '../../contract/issue-detail.ts';
import { describeQueue, type Queue } from '../../contract/queue.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { formatCount, formatDuration, formatTime, oneLine } from '../history/text.ts';
import { type Columns, formatLine, formatTable } from '../terminal/format-table.ts';
import { type AgentFields, agentText, unusualAgent } from './agent-text.ts';
import { formatTracker, trackerTroubles } from './format-tracker.ts';

const SHOWN_WAITING = 20;

/** What the worker does, for a person: troubles first, then who runs, who needs you, who waits. */
export function formatStatus(state: StateSnapshot, columns: Columns = null): string {
  const section = (title: string, rows: string[][]): string =>
    rows.length === 0 ? '' : `\n${title}\n${formatTable(rows, columns)}`;
  const parts = [
    ...[headline(state), formatTracker(state), ...queueLines(state.queue)].map((line) =>
      formatLine(line, columns),
    ),
    ...[...troubles(state), ...trackerTroubles(state)].map((line) => formatLine(`! ${line}`, columns)),
    section('RUNNING', runningRows(state)),
    section('NEEDS YOU', blockedRows(state)),
    section('RETRYING', retryRows(state)),
    section('WAITING', waitingRows(state)),
    section('IGNORED', ignoredRows(state.queue)),
  ];
  return parts.filter((part) => part !== '').join('');
}

function queueLines(queue: Queue | undefined): string[] {
  return queue === undefined ? [] : [oneLine(describeQueue(queue), 600)];
}

/** What lies where issues are expected and is none, and why. */
export function ignoredRows(queue: Queue | undefined): string[][] {
  if (queue === undefined) return [];
  const rows = queue.ignored.map(({ name, why }) => [`  ${oneLine(name, 40)}`, oneLine(why, 160)]);
  const more = queue.ignored_total - rows.length;
  return more > 0 ? [...rows, [`  and ${formatCount(more)} more`]] : rows;
}

function headline({
  version,
  counts,
  max_concurrent_agents: slots,
  paused,
  codex_totals: totals,
}: StateSnapshot): string {
  const runs = `${counts.running} of ${slots} running, ${counts.blocked} need you, ${counts.retrying} retrying, ${counts.waiting} waiting`;
  const done = `${counts.delivered_total} delivered, ${formatCount(totals.total_tokens)} tokens`;
  return `aiops ${version}: ${runs}; ${done}${paused ? '; PAUSED' : ''}`;
}

function troubles({ preflight, warnings, last_poll: poll, config, journal }: StateSnapshot): string[] {
  return [
    ...warnings.map(({ message, fix }) => oneLine(fix === null ? message : `${message} Fix: ${fix}`, 600)),
    ...preflight.errors.map((error) => `nothing starts: ${oneLine(error.message)}`),
    ...(poll?.ok === false ? [`the last poll failed: ${oneLine(poll.error ?? '')}`] : []),
    ...(config.reload_error === undefined
      ? []
      : [`the workflow file has a mistake: ${oneLine(config.reload_error)}`]),
    ...(journal.problem === null ? [] : [oneLine(journal.problem)]),
  ];
}

function runningRows({ running }: StateSnapshot): string[][] {
  return running.map((row) => [
    `  ${oneLine(row.issue_identifier, 24)}`,
    formatDuration(row.runtime_seconds * 1000),
    `turn ${row.turn_count}/${row.max_turns}`,
    `${formatCount(row.tokens.total_tokens)} tokens`,
    ...agentColumn(running, row),
    row.stopping === undefined
      ? oneLine(row.last_message || row.phase, 100)
      : `being stopped (${row.stopping})`,
  ]);
}

/** A column only where it tells something: while all run with the default there is none. */
function agentColumn(rows: readonly AgentFields[], row: AgentFields): string[] {
  const tells = rows.some((other) => unusualAgent(other));
  return tells ? [agentText(row) ?? ''] : [];
}

function blockedRows({ blocked }: StateSnapshot): string[][] {
  return blocked.map((row) => [
    `  ${oneLine(row.issue_identifier, 24)}`,
    oneLine(row.method, 30),
    ...agentColumn(blocked, row),
    oneLine(row.question ?? row.error, 160),
  ]);
}

function retryRows({ retrying, generated_at: now }: StateSnapshot): string[][] {
  return retrying.map((row) => {
    const wait = Date.parse(row.due_at) - Date.parse(now);
    const when = wait > 0 ? `in ${formatDuration(wait)}` : 'due';
    return [
      `  ${oneLine(row.issue_identifier, 24)}`,
      row.kind,
      when,
      ...agentColumn(retrying, row),
      oneLine(row.reason ?? row.error ?? '', 120),
    ];
  });
}

function waitingRows({ waiting, counts }: StateSnapshot): string[][] {
  const rows = waiting
    .slice(0, SHOWN_WAITING)
    .map((row) => [
      `  ${oneLine(row.issue_identifier, 24)}`,
      ...agentColumn(waiting, row),
      oneLine(row.reason, 120),
    ]);
  const more = counts.waiting - rows.length;
  return more > 0 ? [...rows, [`  and ${formatCount(more)} more`]] : rows;
}

export function formatIssueStatus(issue: IssueDetail, columns: Columns = null): string {
  const { running, blocked, retry, waiting } = issue;
  const facts: [string, string | null][] = [
    ['Issue', `${oneLine(issue.issue_identifier)}  ${oneLine(issue.title)}`],
    ['State', oneLine(issue.state)],
    ['Status', issue.status.replaceAll('_', ' ')],
    ['Run', running === null ? null : `${running.run_id}, ${running.phase}, turn ${running.turn_count}`],
    ['Agent', agentText(running ?? blocked ?? retry ?? waiting ?? issue.ended[0] ?? {})],
    ['Now', running === null ? null : oneLine(running.last_message)],
    ['Question', blocked?.question === undefined ? null : oneLine(blocked.question)],
    ['Because', waiting === null ? null : oneLine(waiting.reason)],
    ['Next run', retry === null ? null : `${retry.kind}, attempt ${retry.attempt}, at ${retry.due_at}`],
    ['Waits for', retry?.reason ?? null],
    ['Problem', issue.last_error === null ? null : oneLine(issue.last_error)],
    ['Workspace', issue.workspace.path],
    ...issue.ended
      .slice(0, 5)
      .map((run): [string, string] => [
        'Ended',
        `${formatTime(Date.parse(run.ended_at))} UTC, ${run.outcome}: ${oneLine(run.summary, 120)}`,
      ]),
  ];
  return formatTable(
    facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value]])),
    columns,
  );
}
