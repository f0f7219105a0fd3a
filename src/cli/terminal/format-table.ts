import { type Columns, type Look, PLAIN } from './look.ts';
import { fitTo, padTo, widthOf, wrapTo } from './text-width.ts';
import { paint, type Tone } from './tones.ts';

/** A text, or one with a meaning; `cut`: where room lacks it ends in an ellipsis instead of going on below. */
export type Cell = string | { readonly text: string; readonly tone?: Tone; readonly cut?: true };

export type Rows = readonly (readonly Cell[])[];

const GAP = '  ';
/** A column of text is made no narrower than this. */
const MIN_COLUMNS = 20;
/** A column that may be cut gives way down to this. */
const MIN_CUT_COLUMNS = 12;
/** A word longer than this may be broken. */
const WIDEST_WORD = 40;

/**
 * Rows in aligned columns; what is too long for the terminal goes on under itself, or is cut where its cell says so. Where
 * the columns stay too wide for that, the last one has lines of its own.
 */
export function formatTable(rows: Rows, look: Look = PLAIN): string {
  const { columns } = look;
  const widths = fitWidths(rows, columns, GAP);
  const total = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  if (columns !== null && total > columns && widths.length > 2) return formatNarrow(rows, columns, look);
  return rows.map((row) => formatRow(row, widths, look, GAP)).join('');
}

/** A column; one with `spare` is left out where the terminal is too narrow for all, the highest first. */
export type Heading = string | { readonly text: string; readonly spare: number };

/** The same, under headings; nothing at all without rows. */
export function formatListing(headings: readonly Heading[], rows: Rows, look: Look): string {
  if (rows.length === 0) return '';
  const head = headings.map((heading): Cell => ({ text: nameOf(heading), tone: 'strong' }));
  let kept = headings;
  let table: Rows = [head, ...rows];
  while (!fits(table, look.columns)) {
    const spares = kept.map((heading) => (typeof heading === 'string' ? 0 : heading.spare));
    const first = Math.max(...spares);
    if (first <= 0) break;
    const left = spares.indexOf(first);
    kept = kept.filter((_, column) => column !== left);
    table = table.map((row) => row.filter((_, column) => column !== left));
  }
  return formatTable(table, look);
}

function nameOf(heading: Heading): string {
  return typeof heading === 'string' ? heading : heading.text;
}

/** Whether every column but a last one that may have lines of its own finds room. */
function fits(rows: Rows, columns: Columns): boolean {
  if (columns === null) return true;
  const isWide = (table: Rows, gap: string): boolean => {
    const widths = fitWidths(table, columns, gap);
    return widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) > columns;
  };
  if (!isWide(rows, GAP)) return true;
  const last = Math.max(...rows.map((row) => row.length)) - 1;
  if (rows.some((row) => isCut(row[last] ?? ''))) return false;
  return !isWide(
    rows.map((row) => row.slice(0, last)),
    ' ',
  );
}

/** Names and what is known under them; what is not known is left out. */
export function formatFacts(facts: readonly (readonly [string, Cell | null])[], look: Look): string {
  const rows = facts.flatMap(([name, value]): Cell[][] =>
    value === null || value === '' ? [] : [[{ text: name, tone: 'strong' }, value]],
  );
  return formatTable(rows, look);
}

function formatNarrow(rows: Rows, columns: number, look: Look): string {
  const last = Math.max(...rows.map((row) => row.length)) - 1;
  const heads = rows.map((row) => row.slice(0, last));
  const widths = fitWidths(heads, columns, ' ');
  const room = Math.max(MIN_COLUMNS, columns - 2 * GAP.length);
  return rows
    .map((row, index) => {
      const below = row[last] ?? '';
      const lines = textOf(below) === '' ? [] : wrapTo(textOf(below), room);
      const painted = lines.map((line) => `${GAP}${GAP}${paint(line, toneOf(below), look.color)}\n`);
      return formatRow(heads[index] ?? [], widths, look, ' ') + painted.join('');
    })
    .join('');
}

/** A line of its own; what is too long goes on below, a little to the right. */
export function formatLine(text: string, { columns, color }: Look, tone: Tone = 'plain'): string {
  if (columns === null || widthOf(text) <= columns) return `${paint(text, tone, color)}\n`;
  const lines = wrapTo(text, Math.max(MIN_COLUMNS, columns - GAP.length));
  return `${lines.map((line) => paint(line, tone, color)).join(`\n${GAP}`)}\n`;
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

function toneOf(cell: Cell): Tone {
  return typeof cell === 'string' ? 'plain' : (cell.tone ?? 'plain');
}

function isCut(cell: Cell): boolean {
  return typeof cell !== 'string' && cell.cut === true;
}

function widthsOf(rows: Rows, measure: (cell: Cell) => number): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, measure(cell));
    });
  }
  return widths;
}

/** First what may be cut gives way, then columns of text, the widest first; those of single words, such as ids, stay whole. */
function fitWidths(rows: Rows, columns: Columns, gap: string): number[] {
  const widths = widthsOf(rows, (cell) => widthOf(textOf(cell)));
  if (columns === null) return widths;
  const cuttable = widthsOf(rows, (cell) => (isCut(cell) ? 1 : 0)).map((flag) => flag === 1);
  const least = widthsOf(rows, longestWord).map((width) =>
    Math.max(MIN_COLUMNS, Math.min(width, WIDEST_WORD)),
  );
  const available = columns - gap.length * (widths.length - 1);
  shrink(widths, available, (column) => (cuttable[column] ? MIN_CUT_COLUMNS : null));
  shrink(widths, available, (column) => (cuttable[column] ? null : (least[column] ?? 0)));
  return widths;
}

/** Takes columns from the widest, one by one, until all fit or none can give any more; null gives nothing. */
function shrink(widths: number[], available: number, least: (column: number) => number | null): void {
  for (let excess = widths.reduce((sum, width) => sum + width, -available); excess > 0; excess -= 1) {
    const spare = widths.map((width, column) => (width > (least(column) ?? Infinity) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.lastIndexOf(widest)] = widest - 1;
  }
}

function longestWord(cell: Cell): number {
  return Math.max(...textOf(cell).split(' ').map(widthOf));
}

function formatRow(row: readonly Cell[], widths: readonly number[], look: Look, gap: string): string {
  const cells = row.map((cell, column) => linesOf(cell, widths[column] ?? 0, look.columns));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = cells.map((lines) => lines[line] ?? '');
    const last = parts.findLastIndex((part) => part !== '');
    const shown = parts.slice(0, last + 1).map((part, column) => {
      const padded = column === last ? part : padTo(part, widths[column] ?? 0);
      return paint(part, toneOf(row[column] ?? ''), look.color) + padded.slice(part.length);
    });
    return `${shown.join(gap).trimEnd()}\n`;
  }).join('');
}

function linesOf(cell: Cell, width: number, columns: Columns): string[] {
  const text = textOf(cell);
  if (columns === null || widthOf(text) <= width) return [text];
  return isCut(cell) ? [fitTo(text, width)] : wrapTo(text, width);
}
