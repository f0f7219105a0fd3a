import { formatWhole } from '../../contract/format.ts';
import { describeQueue, type Queue } from '../../contract/queue.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { formatDuration, oneLine, oneLineOfSentences } from '../history/text.ts';
import { type Cell, formatLine, formatTable, type Rows } from '../terminal/format-table.ts';
import { type Look, PLAIN } from '../terminal/look.ts';
import { nextCommands } from '../terminal/next-command.ts';
import { paint, type Tone } from '../terminal/tones.ts';
import { type AgentFields, agentText, unusualAgent } from './agent-text.ts';
import type { TargetFlags } from './find-worker.ts';
import { formatTracker, trackerTroubles } from './format-tracker.ts';

const SHOWN_WAITING = 20;

/** What the worker does, for a person: troubles first, then who runs, who needs you and what to type, who waits. */
export function formatStatus(state: StateSnapshot, look: Look = PLAIN, target: TargetFlags = {}): string {
  const section = (title: string, tone: Tone, rows: Rows): string =>
    rows.length === 0 ? '' : `\n${paint(title, tone, look.color)}\n${formatTable(rows, look)}`;
  const parts = [
    formatLine(headline(state), look, 'strong'),
    ...[formatTracker(state, look), ...queueLines(state.queue)].map((line) => formatLine(line, look)),
    ...[...troubles(state), ...trackerTroubles(state, look)].map((line) =>
      formatLine(`! ${line}`, look, 'bad'),
    ),
    section('RUNNING', 'start', runningRows(state)),
    section('NEEDS YOU', 'attention', blockedRows(state)),
    ...state.blocked.map((row) => formatNext(nextCommands(row, target), look)),
    section('RETRYING', 'strong', retryRows(state)),
    section('WAITING', 'strong', waitingRows(state)),
    section('IGNORED', 'strong', ignoredRows(state.queue)),
  ];
  return parts.filter((part) => part !== '').join('');
}

/** The exact words to type; never broken, so that they can be copied. */
export function formatNext(commands: readonly string[], look: Look): string {
  return commands
    .slice(0, 1)
    .map((command) => `  > ${paint(command, 'start', look.color)}\n`)
    .join('');
}

function queueLines(queue: Queue | undefined): string[] {
  return queue === undefined ? [] : [oneLine(describeQueue(queue), 600)];
}

/** What lies where issues are expected and is none, and why. */
export function ignoredRows(queue: Queue | undefined): string[][] {
  if (queue === undefined) return [];
  const rows = queue.ignored.map(({ name, why }) => [`  ${oneLine(name, 40)}`, oneLine(why, 160)]);
  const more = queue.ignored_total - rows.length;
  return more > 0 ? [...rows, [`  and ${formatWhole(more)} more`]] : rows;
}

function headline({
  version,
  counts,
  max_concurrent_agents: slots,
  paused,
  codex_totals: totals,
}: StateSnapshot): string {
  const runs = `${counts.running} of ${slots} running, ${counts.blocked} ${counts.blocked === 1 ? 'needs' : 'need'} you, ${counts.retrying} retrying, ${counts.waiting} waiting`;
  const done = `${counts.delivered_total} delivered, ${formatWhole(totals.total_tokens)} tokens`;
  return `aiops ${version}: ${runs}; ${done}${paused ? '; PAUSED (`aiops resume` starts runs again)' : ''}`;
}

function troubles({ preflight, warnings, last_poll: poll, config, journal }: StateSnapshot): string[] {
  return [
    ...warnings.map(({ message, fix }) =>
      oneLineOfSentences(fix === null ? message : `${message}\nFix: ${fix}`, 600),
    ),
    ...preflight.errors.map((error) => `nothing starts: ${oneLine(error.message)}`),
    ...(poll?.ok === false ? [`the last poll failed: ${oneLine(poll.error ?? '')}`] : []),
    ...(config.reload_error === undefined
      ? []
      : [`the workflow file has a mistake: ${oneLine(config.reload_error)}`]),
    ...(journal.problem === null ? [] : [oneLine(journal.problem)]),
  ];
}

function nameCells({ issue_identifier: name, title }: { issue_identifier: string; title: string }): Cell[] {
  return [`  ${oneLine(name, 24)}`, { text: oneLine(title, 60), cut: true }];
}

function runningRows({ running }: StateSnapshot): Cell[][] {
  return running.map((row) => [
    ...nameCells(row),
    formatDuration(row.runtime_seconds * 1000),
    `turn ${row.turn_count}/${row.max_turns}`,
    `${formatWhole(row.tokens.total_tokens)} tokens`,
    ...agentColumn(running, row),
    row.stopping === undefined
      ? { text: oneLine(row.last_message || row.phase, 100), tone: 'quiet' }
      : { text: `being stopped (${row.stopping})`, tone: 'attention' },
  ]);
}

/** A column only where it tells something: while all run with the default there is none. */
function agentColumn(rows: readonly AgentFields[], row: AgentFields): string[] {
  const tells = rows.some((other) => unusualAgent(other));
  return tells ? [agentText(row) ?? ''] : [];
}

function blockedRows({ blocked }: StateSnapshot): Cell[][] {
  return blocked.map((row) => [
    ...nameCells(row),
    { text: oneLine(row.method, 30), tone: 'attention' },
    ...agentColumn(blocked, row),
    oneLine(row.question ?? row.error, 160),
  ]);
}

function retryRows({ retrying, generated_at: now }: StateSnapshot): Cell[][] {
  return retrying.map((row) => {
    const wait = Date.parse(row.due_at) - Date.parse(now);
    const when = wait > 0 ? `in ${formatDuration(wait)}` : 'due';
    return [
      ...nameCells(row),
      row.kind,
      when,
      ...agentColumn(retrying, row),
      oneLine(row.reason ?? row.error ?? '', 120),
    ];
  });
}

function waitingRows({ waiting, counts }: StateSnapshot): Cell[][] {
  const rows: Cell[][] = waiting
    .slice(0, SHOWN_WAITING)
    .map((row) => [...nameCells(row), ...agentColumn(waiting, row), oneLine(row.reason, 120)]);
  const more = counts.waiting - rows.length;
  return more > 0 ? [...rows, [`  and ${formatWhole(more)} more`]] : rows;
}
