import { describeQueue } from '../../contract/queue.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { cleanLine } from '../text/clean.ts';
import { type Line, span } from '../text/paint.ts';
import { widthOf } from '../text/width.ts';
import type { Size } from '../view.ts';
import { type ActionRequest, allotLines, type Share } from './allot.ts';
import { COLUMNS, cellsOf, markOf } from './cells.ts';
import { alignedLayouts, type Cell, type Column, type Layout, layoutCells } from './columns.ts';
import { heading, rail } from './edges.ts';
import type { BoardRow, Section, SectionId } from './rows.ts';
import { TALL } from './top.ts';

export interface BodyInput {
  /** As the filter leaves them. */
  readonly sections: readonly Section[];
  readonly selected: string | null;
  readonly filter: string;
  readonly size: Size;
}

const MARK_COLUMNS = 4;
const SHORTEST_ID = 7;
const LONGEST_ID = 18;
/** Rows a section is content with while others have more to show. */
const MODEST: Readonly<Record<SectionId, number>> = {
  running: Number.POSITIVE_INFINITY,
  needs: Number.POSITIVE_INFINITY,
  waiting: 8,
  review: 8,
  retrying: 8,
  recent: 6,
};

/** A section with what of it is shown. */
interface Shown {
  readonly section: Section;
  readonly rows: readonly { readonly row: BoardRow; readonly cells: readonly Cell[] }[];
  /** Those that say something in at least one of the rows. */
  readonly columns: readonly { readonly column: Column; readonly index: number }[];
  readonly from: number;
}

/** The sections in so many lines. */
export function bodyLines(
  input: BodyInput,
  state: StateSnapshot,
  now: number,
  room: number,
): readonly Line[] {
  const { size, selected } = input;
  const named = size.rows >= TALL;
  const present = input.sections.filter(({ id, rows }) => rows.length > 0 || id === 'running');
  const requests = present.map(({ id, rows }): ActionRequest => {
    const at = rows.findIndex(({ key }) => key === selected);
    const head = rows.length === 0 || named ? 2 : 1;
    return { rows: rows.length, head, selected: at < 0 ? null : at, modest: MODEST[id] };
  });
  const shares = allotLines(requests, room);
  const shown = present.flatMap((section, index) => showSection(section, shares[index], now));
  const used = shown.reduce((sum, { rows }) => sum + rows.length + (named || rows.length === 0 ? 2 : 1), 0);
  const spaced = room - used >= shown.length - 1;
  const layouts = alignedLayouts(
    shown.map(({ columns }) => columns.map(({ column }) => column)),
    Math.min(
      LONGEST_ID,
      widest(present, SHORTEST_ID, ({ identifier }) => identifier),
    ),
    size.columns - MARK_COLUMNS,
    widest(present, 0, ({ title }) => title),
  );
  return shown.flatMap((part, index) => {
    const gap = index > 0 && spaced ? [rail()] : [];
    const layout = layouts[index];
    if (part.rows.length === 0 || layout === undefined)
      return [...gap, sectionHeading(part, size), rail(span(`  ${idleText(input, state)}`, 'quiet'))];
    const names = named ? [columnNames(part, layout)] : [];
    return [...gap, sectionHeading(part, size), ...names, ...rowLines(part, layout, selected)];
  });
}

function showSection(section: Section, share: Share | undefined, now: number): readonly Shown[] {
  if (share?.visible !== true) return [];
  const { from } = share;
  const rows = section.rows.slice(from, from + share.shown).map((row) => ({ row, cells: cellsOf(row, now) }));
  const columns = COLUMNS[section.id]
    .map((column, index) => ({ column, index }))
    .filter(
      ({ column, index }) => column.grows === true || rows.some(({ cells }) => cells[index]?.text !== ''),
    );
  return [{ section, rows, columns, from }];
}

function widest(sections: readonly Section[], least: number, text: (row: BoardRow) => string): number {
  return sections.reduce(
    (most, { rows }) => rows.reduce((longest, row) => Math.max(longest, widthOf(cleanLine(text(row)))), most),
    least,
  );
}

function sectionHeading({ section: { id, title, total }, rows, from }: Shown, { columns }: Size): Line {
  const range = rows.length < total ? `${total} · ${from + 1}–${from + rows.length}` : String(total);
  const detail = id === 'running' && total === 0 ? '' : range;
  return heading(span(title, id === 'needs' ? 'attention' : 'strong'), detail, columns);
}

function idleText({ filter }: BodyInput, state: StateSnapshot): string {
  if (filter !== '') return 'Nothing that runs matches the filter.';
  const why = state.queue === undefined || state.last_poll === null ? '' : `: ${describeQueue(state.queue)}`;
  return cleanLine(`No agent runs${why}`);
}

function columnNames({ columns }: Shown, layout: Layout): Line {
  const quiet = (text: string): Cell => ({ text, tone: 'quiet' });
  const shown = columns.map(({ column }) => column);
  const names = shown.map(({ title }) => quiet(title));
  return {
    spans: [span('│   ', 'quiet'), ...layoutCells(shown, layout, quiet('ID'), quiet('TITLE'), names)],
  };
}

function rowLines({ rows, columns }: Shown, layout: Layout, selected: string | null): readonly Line[] {
  const shown = columns.map(({ column }) => column);
  return rows.map(({ row, cells }) => {
    const mark = markOf(row);
    const isSelected = row.key === selected;
    const name: Cell = { text: cleanLine(row.identifier), tone: 'name' };
    const title: Cell = { text: cleanLine(row.title), tone: 'plain' };
    const spans = layoutCells(
      shown,
      layout,
      name,
      title,
      columns.flatMap(({ index }) => cells[index] ?? []),
    );
    const front = isSelected ? span('▸ ', 'strong') : span('│ ', 'quiet');
    return {
      spans: [front, span(`${mark.text} `, mark.tone), ...spans],
      ...(isSelected ? { selected: true } : {}),
    };
  });
}
