import { type Span, span, type Tone } from '../text/paint.ts';
import { padTo } from '../text/width.ts';

export interface Column {
  readonly title: string;
  /** In columns of the terminal; the least of one that grows. */
  readonly width: number;
  /** Where there is no room, the column with the lowest goes first. */
  readonly keep: number;
  readonly align?: 'left' | 'right';
  /** Takes what is left. */
  readonly grows?: boolean;
}

export interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

export interface Layout {
  readonly id: number;
  /** 0 when there is no room for titles. */
  readonly title: number;
  /** The width of each column, 0 for one that is left out. */
  readonly widths: readonly number[];
}

const GAP = 2;
/** With less than this a title says nothing. */
const LEAST_TITLE = 14;
const LONGEST_TITLE = 60;
/** Columns with less to keep than this come only where a title has so much. */
const NICE_TO_HAVE = 3;
const COMFORTABLE_TITLE = 30;
/** Titles go before what happens does, and after facts that are only nice to have. */
const TITLE_KEEP = 5.5;
/** Of the room that grows, to the title. */
const TITLE_SHARE = 0.42;

/**
 * Gives columns their widths: those that matter least go first, what is left over is shared by the title and the last. The
 * title gets no more than `longestTitle`.
 */
export function layoutColumns(
  columns: readonly Column[],
  id: number,
  room: number,
  longestTitle = LONGEST_TITLE,
): Layout {
  const kept = new Set(columns);
  let withTitle = longestTitle > 0;
  const leastTitle = Math.min(LEAST_TITLE, longestTitle);
  const least = (): number => {
    const fixed = [...kept].reduce((sum, { width }) => sum + width + GAP, 0);
    return id + fixed + (withTitle ? leastTitle + GAP : 0);
  };
  const comfortable = Math.min(COMFORTABLE_TITLE, longestTitle) - leastTitle;
  for (const column of columns) {
    if (column.keep < NICE_TO_HAVE && withTitle && least() + comfortable > room) kept.delete(column);
  }
  while (least() > room && kept.size > 1) {
    const next = [...kept].reduce((a, b) => (b.keep < a.keep ? b : a));
    if (withTitle && TITLE_KEEP < next.keep) withTitle = false;
    else kept.delete(next);
  }
  const left = Math.max(0, room - least());
  const extra = withTitle ? Math.min(longestTitle - leastTitle, Math.floor(left * TITLE_SHARE)) : 0;
  return {
    id,
    title: withTitle ? leastTitle + extra : 0,
    widths: columns.map((column) => {
      if (!kept.has(column)) return 0;
      return column.grows === true ? Math.max(1, column.width + left - extra) : column.width;
    }),
  };
}

/** The layouts of several sections whose titles are equally wide, so that what follows them lines up. */
export function alignedLayouts(
  sections: readonly (readonly Column[])[],
  id: number,
  room: number,
  longestTitle: number,
): readonly Layout[] {
  const layouts = sections.map((columns) =>
    layoutColumns(columns, id, room, Math.min(LONGEST_TITLE, longestTitle)),
  );
  const shared = Math.min(...layouts.map(({ title }) => title).filter((title) => title > 0));
  return layouts.map((layout, index) => {
    const spare = layout.title === 0 ? 0 : layout.title - shared;
    const grows = sections[index]?.findIndex((column) => column.grows === true);
    const widths = layout.widths.map((width, at) => (at === grows ? width + spare : width));
    return { ...layout, title: layout.title - spare, widths };
  });
}

export function layoutCells(
  columns: readonly Column[],
  layout: Layout,
  id: Cell,
  title: Cell,
  cells: readonly Cell[],
): readonly Span[] {
  const spans = [span(padTo(id.text, layout.id), id.tone)];
  if (layout.title > 0) spans.push(span(`  ${padTo(title.text, layout.title)}`, title.tone));
  columns.forEach((column, index) => {
    const width = layout.widths[index] ?? 0;
    const cell = cells[index];
    if (width === 0 || cell === undefined) return;
    spans.push(span(`  ${padTo(cell.text, width, column.align ?? 'left')}`, cell.tone));
  });
  return spans;
}
