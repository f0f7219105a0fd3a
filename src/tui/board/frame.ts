import { cleanLine } from '../text/clean.ts';
import { type Line, span } from '../text/paint.ts';
import { wrapTo } from '../text/width.ts';
import { type View, workerNow } from '../view.ts';
import { type BodyInput, bodyLines } from './body.ts';
import { cellsOf } from './cells.ts';
import { heading, rail } from './edges.ts';
import { headerLines } from './header.ts';
import { alertLines, awayLines, logLines, SHORT, TALL, titleLine, welcomeLines } from './top.ts';

export interface BoardInput extends BodyInput {
  readonly view: View;
  readonly now: number;
}

/** The board without its last line: title, facts, troubles, sections and the log, no more lines than there is room for. */
export function boardLines(input: BoardInput): readonly Line[] {
  const { view, size } = input;
  const top = [titleLine(view, size, input.now), ...awayLines(view, size, input.now)];
  const { known } = view;
  if (known === null) return [...top, ...welcomeLines(view, size)].slice(0, size.rows);
  const now = workerNow(view, input.now);
  const facts = { state: known.state, now, tokensPerSecond: view.tokensPerSecond, pageUrl: view.pageUrl };
  const head = [
    ...top,
    ...headerLines(facts, size.columns, size.rows < SHORT ? 1 : size.rows < 22 ? 2 : 3),
    ...alertLines(known.state, now, size),
  ];
  const log = [...detailLines(input, now), ...logLines(view.log, size)];
  const room = Math.max(0, size.rows - head.length - log.length);
  const body = bodyLines(input, known.state, now, room);
  const filler = Array.from({ length: Math.max(0, room - body.length) }, () => rail());
  return [...head, ...body, ...filler, ...log].slice(0, size.rows);
}

/** The selected row in full, where its line on the board is cut. */
function detailLines({ sections, selected, size }: BoardInput, now: number): readonly Line[] {
  const row = sections.flatMap(({ rows }) => rows).find(({ key }) => key === selected);
  if (row === undefined || size.rows < 22) return [];
  const said = cellsOf(row, now).at(-1)?.text ?? '';
  const text = [cleanLine(row.identifier), cleanLine(row.title), said]
    .filter((part) => part !== '')
    .join(' · ');
  const lines = wrapTo(text, size.columns - 4);
  // Always as many lines, so that the board does not jump from row to row.
  const shown = Array.from({ length: size.rows >= TALL ? 3 : 2 }, (_, index) => lines[index] ?? '');
  return [heading(span('Selected', 'quiet'), '', size.columns), ...shown.map((part) => rail(span(part)))];
}
