import { padTo, widthOf, wrapTo } from './text-width.ts';

/** The columns of the terminal that reads; null when nobody does (a pipe, a file), and then nothing is broken. */
export type Columns = number | null;

const GAP = '  ';
/** A column of text is made no narrower than this. */
const MIN_COLUMNS = 20;
/** A word longer than this may be broken. */
const WIDEST_WORD = 40;

type Rows = readonly (readonly string[])[];

/**
 * Rows in aligned columns; what is too long for the terminal goes on under itself. Where the columns stay too wide for
 * that, the last one has lines of its own.
 */
export function formatTable(rows: Rows, columns: Columns = null): string {
  const widths = fitWidths(rows, columns, GAP);
  const total = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  if (columns !== null && total > columns && widths.length > 2) return formatNarrow(rows, columns);
  return rows.map((row) => formatRow(row, widths, columns, GAP)).join('');
}

function formatNarrow(rows: Rows, columns: number): string {
  const last = Math.max(...rows.map((row) => row.length)) - 1;
  const heads = rows.map((row) => row.slice(0, last));
  const widths = fitWidths(heads, columns, ' ');
  const room = Math.max(MIN_COLUMNS, columns - 2 * GAP.length);
  return rows
    .map((row, index) => {
      const below = row[last] ?? '';
      const lines = below === '' ? [] : wrapTo(below, room).map((line) => `${GAP}${GAP}${line}\n`);
      return formatRow(heads[index] ?? [], widths, columns, ' ') + lines.join('');
    })
    .join('');
}

/** A line of its own; what is too long goes on below, a little to the right. */
export function formatLine(text: string, columns: Columns): string {
  if (columns === null || widthOf(text) <= columns) return `${text}\n`;
  return `${wrapTo(text, Math.max(MIN_COLUMNS, columns - GAP.length)).join(`\n${GAP}`)}\n`;
}

function widthsOf(rows: Rows, measure: (cell: string) => number): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, measure(cell));
    });
  }
  return widths;
}

/** Columns of text give way, the widest first; those of single words, such as ids, stay whole. */
function fitWidths(rows: Rows, columns: Columns, gap: string): number[] {
  const widths = widthsOf(rows, widthOf);
  if (columns === null) return widths;
  const least = widthsOf(rows, longestWord).map((width) =>
    Math.max(MIN_COLUMNS, Math.min(width, WIDEST_WORD)),
  );
  const available = columns - gap.length * (widths.length - 1);
  for (let excess = widths.reduce((sum, width) => sum + width, -available); excess > 0; excess -= 1) {
    const spare = widths.map((width, column) => (width > (least[column] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

function longestWord(text: string): number {
  return Math.max(...text.split(' ').map(widthOf));
}

function formatRow(row: readonly string[], widths: readonly number[], columns: Columns, gap: string): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return columns === null || widthOf(cell) <= width ? [cell] : wrapTo(cell, width);
  });
  const height = Math.max(...cells.map((lines) => lines.length));
  const lines = Array.from({ length: height }, (_, line) =>
    cells.map((parts, column) => padTo(parts[line] ?? '', widths[column] ?? 0)).join(gap),
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
