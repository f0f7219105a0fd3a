import type { BlockedRow } from '../../contract/claim-rows.ts';
import {
  formatAge,
  formatCost,
  formatCount,
  formatCountdown,
  formatDuration,
} from '../../contract/format.ts';
import type { WireOutcome } from '../../contract/wire.ts';
import { cleanLine } from '../text/clean.ts';
import type { Tone } from '../text/paint.ts';
import type { Cell, Column } from './columns.ts';
import type { BoardRow, SectionId } from './rows.ts';

/** What a section's rows are made of. The identifier and the title come first everywhere, so that they line up. */
export const COLUMNS: Readonly<Record<SectionId, readonly Column[]>> = {
  running: [
    { title: 'STAGE', width: 12, keep: 4 },
    { title: 'AGE', width: 7, keep: 8, align: 'right' },
    { title: 'TURN', width: 5, keep: 6, align: 'right' },
    { title: 'TOKENS', width: 6, keep: 5, align: 'right' },
    { title: 'AGENT', width: 22, keep: 2 },
    { title: 'PID', width: 8, keep: 1 },
    { title: 'SESSION', width: 13, keep: 0 },
    { title: 'LATEST', width: 20, keep: 9, grows: true },
  ],
  needs: [
    { title: 'WHY', width: 18, keep: 7 },
    { title: 'SINCE', width: 7, keep: 6, align: 'right' },
    { title: 'WHAT', width: 20, keep: 9, grows: true },
  ],
  waiting: [
    { title: 'STATE', width: 12, keep: 3 },
    { title: 'REASON', width: 20, keep: 9, grows: true },
  ],
  review: [
    { title: 'STATE', width: 12, keep: 7 },
    { title: 'SINCE', width: 7, keep: 8, align: 'right' },
    { title: 'COMMITS', width: 9, keep: 5 },
    { title: 'WHERE', width: 20, keep: 9, grows: true },
  ],
  retrying: [
    { title: 'KIND', width: 12, keep: 6 },
    { title: 'TRY', width: 5, keep: 5, align: 'right' },
    { title: 'DUE', width: 10, keep: 8, align: 'right' },
    { title: 'BECAUSE', width: 20, keep: 9, grows: true },
  ],
  recent: [
    { title: 'OUTCOME', width: 11, keep: 8 },
    { title: 'ENDED', width: 7, keep: 7, align: 'right' },
    { title: 'TOOK', width: 7, keep: 4, align: 'right' },
    { title: 'TOKENS', width: 6, keep: 5, align: 'right' },
    { title: 'COST', width: 7, keep: 3, align: 'right' },
    { title: 'SUMMARY', width: 20, keep: 9, grows: true },
  ],
};

/** The mark before a row: what it is, without colours too. */
export function markOf(row: BoardRow): Cell {
  switch (row.section) {
    case 'running':
      return { text: '●', tone: eventTone(row.source.last_event, row.source.stopping !== undefined) };
    case 'needs':
      return { text: row.source.question === undefined ? '!' : '?', tone: 'attention' };
    case 'stopped':
      return { text: '!', tone: 'attention' };
    case 'waiting':
      return { text: '·', tone: 'quiet' };
    case 'review':
      return { text: '◆', tone: 'good' };
    case 'retrying':
      return { text: '↻', tone: 'attention' };
    case 'recent':
      return OUTCOMES[row.source.outcome].mark;
  }
}

/** The cells of a row under the columns of its section. */
export function cellsOf(row: BoardRow, now: number): readonly Cell[] {
  switch (row.section) {
    case 'running':
      return runningCells(row.source, now);
    case 'needs':
      return [
        cell(methodText(row.source), 'attention'),
        cell(since(row.source.blocked_at, now), 'time'),
        cell(cleanLine(row.source.question ?? row.source.error), 'plain'),
      ];
    case 'stopped':
      return [
        cell('closed by hand', 'attention'),
        cell(row.source.stopped_at === undefined ? '' : since(row.source.stopped_at, now), 'time'),
        cell(`left alone although it is active again; r lets it run`),
      ];
    case 'waiting':
      return [cell(cleanLine(row.source.state), 'quiet'), cell(cleanLine(row.source.reason))];
    case 'review':
      return reviewCells(row.source, now);
    case 'retrying':
      return [
        cell(row.source.kind.replaceAll('_', ' '), 'quiet'),
        cell(`try ${row.source.attempt}`, 'number'),
        cell(formatCountdown(secondsUntil(row.source.due_at, now)), 'time'),
        cell(cleanLine(row.source.reason ?? row.source.error ?? startupProblem(row.source) ?? 'goes on')),
      ];
    case 'recent':
      return recentCells(row.source, now);
  }
}

type Sources<S extends BoardRow['section']> = Extract<BoardRow, { section: S }>['source'];

function runningCells(source: Sources<'running'>, now: number): readonly Cell[] {
  const tone = eventTone(source.last_event, source.stopping !== undefined);
  const turns =
    source.max_turns === 0 ? String(source.turn_count) : `${source.turn_count}/${source.max_turns}`;
  const agent = [source.agent_provider, source.agent_model].filter(
    (name) => name !== undefined && name !== '',
  );
  return [
    cell(cleanLine(source.state), 'quiet'),
    cell(formatDuration((now - Date.parse(source.started_at)) / 1000), 'time'),
    cell(turns, 'plain'),
    cell(formatCount(source.tokens.total_tokens), 'number'),
    cell(cleanLine([...new Set(agent)].join(' ')), 'quiet'),
    cell(source.codex_app_server_pid === undefined ? '' : String(source.codex_app_server_pid), 'quiet'),
    cell(shortSession(source.session_id), 'quiet'),
    cell(activity(source), tone === 'active' ? 'plain' : tone),
  ];
}

const PHASES: Readonly<Record<string, string>> = {
  PreparingWorkspace: 'preparing the workspace',
  BuildingPrompt: 'writing the instructions',
  LaunchingAgentProcess: 'starting the agent',
  InitializingSession: 'opening the session',
  StreamingTurn: 'waiting for the first sign of life',
  Finishing: 'collecting what the run left behind',
};

/** A phase before or after the turns says more than what the agent said last. */
function activity({ stopping, phase, last_message: message, last_event: event }: Sources<'running'>): string {
  if (stopping !== undefined) return `being stopped (${cleanLine(stopping)})`;
  if (phase === 'StreamingTurn' && (message !== '' || event !== '')) return cleanLine(message || event);
  return PHASES[phase] ?? cleanLine(phase);
}

function reviewCells(source: Sources<'review'>, now: number): readonly Cell[] {
  const commits =
    source.commits === null ? '' : `${source.commits} ${source.commits === 1 ? 'commit' : 'commits'}`;
  return [
    cell(cleanLine(source.state), 'quiet'),
    cell(since(source.ended_at, now), 'time'),
    cell(commits, 'number'),
    cell(cleanLine(source.pull_request_url ?? source.branch ?? source.summary), 'name'),
  ];
}

interface OutcomeLook {
  readonly label: string;
  readonly tone: Tone;
  readonly mark: Cell;
}

const OUTCOMES: Readonly<Record<WireOutcome, OutcomeLook>> = {
  delivered: look('delivered', 'good', '✓'),
  progressed: look('progressed', 'plain', '·'),
  no_progress: look('no progress', 'attention', '!'),
  blocked: look('blocked', 'attention', '!'),
  canceled: look('canceled', 'quiet', '–'),
  failed: look('failed', 'bad', '✗'),
  timed_out: look('timed out', 'bad', '✗'),
  stalled: look('stalled', 'bad', '✗'),
};

function look(label: string, tone: Tone, mark: string): OutcomeLook {
  return { label, tone, mark: { text: mark, tone } };
}

function recentCells(source: Sources<'recent'>, now: number): readonly Cell[] {
  const { label, tone } = OUTCOMES[source.outcome];
  return [
    cell(label, tone),
    cell(formatAge((now - Date.parse(source.ended_at)) / 1000), 'time'),
    cell(formatDuration(source.runtime_seconds), 'quiet'),
    cell(formatCount(source.tokens.total_tokens), 'number'),
    cell(source.cost_usd === undefined ? '' : formatCost(source.cost_usd), 'number'),
    cell(cleanLine(source.summary)),
  ];
}

const METHODS: Readonly<Record<string, string>> = {
  continuation_budget: 'turns used up',
  budget_exceeded: 'budget used up',
  no_progress: 'changes nothing',
  not_pushed: 'not pushed',
  operator: 'stopped by hand',
};

function methodText({ method, question }: BlockedRow): string {
  return (
    METHODS[method] ?? (question === undefined ? cleanLine(method).replaceAll('_', ' ') || 'held' : 'asks')
  );
}

/** As upstream colours them: nothing yet, tokens, a task begun, a turn done, anything else. */
function eventTone(event: string, stopping: boolean): Tone {
  if (stopping) return 'attention';
  if (event === '') return 'quiet';
  if (/error|fail/.test(event)) return 'bad';
  if (/token|usage/.test(event)) return 'number';
  if (/turn_started|task_started|session_started/.test(event)) return 'good';
  return /turn_completed|turn_ended/.test(event) ? 'time' : 'active';
}

function startupProblem({ startup_failure: failure }: Sources<'retrying'>): string | null {
  if (failure === undefined) return null;
  return failure.error === undefined ? failure.phase : `${failure.phase}: ${failure.error}`;
}

/** `4f2a…567890` */
function shortSession(id: string): string {
  const clean = cleanLine(id);
  return clean.length <= 12 ? clean : `${clean.slice(0, 4)}…${clean.slice(-6)}`;
}

function since(at: string, now: number): string {
  return formatDuration((now - Date.parse(at)) / 1000);
}

function secondsUntil(at: string, now: number): number {
  return (Date.parse(at) - now) / 1000;
}

function cell(text: string, tone: Tone = 'plain'): Cell {
  return { text, tone };
}
