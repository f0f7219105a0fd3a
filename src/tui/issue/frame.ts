import { formatCount, formatDuration } from '../../contract/format.ts';
import type { BoardRow } from '../board/rows.ts';
import { cleanLine } from '../text/clean.ts';
import { type Line, line, type Span, span } from '../text/paint.ts';
import { fitTo, widthOf, wrapTo } from '../text/width.ts';
import { type Size, type View, workerNow } from '../view.ts';
import { factLines } from './fact-lines.ts';
import type { IssueData } from './issue-data.ts';
import { transcriptLines } from './transcript-lines.ts';

export type IssueTab = 'transcript' | 'diff' | 'facts';
export const ISSUE_TABS: readonly IssueTab[] = ['transcript', 'diff', 'facts'];

export interface IssueInput {
  readonly view: View;
  readonly row: BoardRow | null;
  readonly identifier: string;
  readonly tab: IssueTab;
  readonly scroll: number;
  readonly data: IssueData;
  readonly size: Size;
  readonly now: number;
}

const RAIL_COLUMNS = 2;

/** The open issue without its last line; as many lines as there is room for. */
export function issueLines(input: IssueInput): readonly Line[] {
  const { size, data, row } = input;
  const head = [
    titleLine(input),
    ...nowLines(row, workerNow(input.view, input.now), size),
    ...questionLines(row, size),
    tabLine(input),
  ];
  const room = Math.max(0, size.rows - head.length);
  const body = bodyLines(input, room);
  const trouble =
    data.problem === null ? [] : [line(span('! ', 'attention'), span(cleanLine(data.problem), 'attention'))];
  const shown = [...trouble, ...body].slice(0, room);
  const filler = Array.from({ length: room - shown.length }, () => line(''));
  return [...head, ...[...shown, ...filler].map(railed)].slice(0, size.rows);
}

function titleLine({ row, identifier, view, size }: IssueInput): Line {
  const name = cleanLine(row?.identifier ?? identifier);
  const away = view.connection.kind === 'away' ? [span('○ worker away', 'bad')] : [];
  const state = row !== null && 'state' in row.source ? cleanLine(row.source.state ?? '') : '';
  const end = `${state}${away.length > 0 ? '  ' : ''}`;
  const room =
    size.columns -
    5 -
    widthOf(name) -
    widthOf(end) -
    away.reduce((sum, part) => sum + widthOf(part.text), 0) -
    3;
  const title = fitTo(cleanLine(row?.title ?? ''), Math.max(0, room));
  const rule = '─'.repeat(Math.max(1, room - widthOf(title) + 1));
  return line(
    span('╭─ ', 'quiet'),
    span(name, 'name'),
    span(` ${title} `, 'strong'),
    span(`${rule} `, 'quiet'),
    span(end),
    ...away,
  );
}

/** The one line that tells most about a row. */
function nowLines(row: BoardRow | null, now: number, { columns }: Size): readonly Line[] {
  if (row?.section !== 'running') return [];
  const { source } = row;
  const facts: readonly Span[] = [
    span(formatDuration((now - Date.parse(source.started_at)) / 1000), 'time'),
    span(`  turn ${source.turn_count}${source.max_turns === 0 ? '' : `/${source.max_turns}`}`),
    span(`  ${formatCount(source.tokens.total_tokens)} tokens`, 'number'),
    span(source.branch === null ? '' : `  ${cleanLine(source.branch)}`, 'quiet'),
    span(source.agent_provider === undefined ? '' : `  ${cleanLine(source.agent_provider)}`, 'quiet'),
  ];
  const used = facts.reduce((sum, { text }) => sum + widthOf(text), 0);
  return [used > columns - RAIL_COLUMNS ? railed({ spans: facts.slice(0, 3) }) : railed({ spans: facts })];
}

function questionLines(row: BoardRow | null, { columns, rows }: Size): readonly Line[] {
  if (row?.section !== 'needs') return [];
  const text = cleanLine(row.source.question ?? row.source.error);
  return wrapTo(text, columns - 6)
    .slice(0, rows >= 30 ? 6 : 3)
    .map((part, index) => railed(line(span(`${index === 0 ? '? ' : '  '}${part}`, 'attention'))));
}

function tabLine({ tab, size }: IssueInput): Line {
  const names = ISSUE_TABS.flatMap((name) => [
    span(name === tab ? `[${name}]` : ` ${name} `, name === tab ? 'strong' : 'quiet'),
    span(' '),
  ]);
  const used = 3 + names.reduce((sum, { text }) => sum + widthOf(text), 0);
  return {
    spans: [span('├─ ', 'quiet'), ...names, span('─'.repeat(Math.max(0, size.columns - used)), 'quiet')],
  };
}

function bodyLines(input: IssueInput, room: number): readonly Line[] {
  const { tab, data, size, scroll } = input;
  const columns = size.columns - RAIL_COLUMNS;
  if (tab === 'transcript') return transcript(input, columns, room);
  const lines =
    tab === 'diff'
      ? (data.diff ?? [line(span(data.runId === null ? 'No run, no diff.' : 'Reading the diff …', 'quiet'))])
      : factLines(input.row, data.detail, workerNow(input.view, input.now), columns);
  const from = Math.min(scroll, Math.max(0, lines.length - room));
  return lines.slice(from, from + room);
}

/** The end of the transcript, or what is `scroll` lines above it. */
function transcript({ data, scroll, row }: IssueInput, columns: number, room: number): readonly Line[] {
  if (data.entries.length === 0) return [line(span(emptyText(data, row), 'quiet'))];
  const lines = transcriptLines(
    data.entries,
    columns,
    Math.min(scroll, Number.MAX_SAFE_INTEGER - room) + room,
  );
  const begin =
    data.earlier > 0 ? [line(span(`${data.earlier} earlier entries: see \`aiops logs\``, 'quiet'))] : [];
  const all = [...begin, ...lines];
  const from = Math.max(0, all.length - room - scroll);
  return all.slice(from, from + room);
}

function emptyText({ problem, runId, detail }: IssueData, row: BoardRow | null): string {
  if (problem !== null) return 'Nothing to show.';
  if (runId === null && (detail !== null || row?.runId === null)) return 'This issue has had no run yet.';
  return 'Reading the transcript …';
}

function railed(source: Line): Line {
  return { ...source, spans: [span('│ ', 'quiet'), ...source.spans] };
}
