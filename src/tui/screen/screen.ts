import type { StateSnapshot } from '../../contract/state.ts';
import { boardLines } from '../board/frame.ts';
import { filterSections, type Section, sectionsOf } from '../board/rows.ts';
import { issueLines } from '../issue/frame.ts';
import type { IssueData } from '../issue/issue-data.ts';
import type { Line } from '../text/paint.ts';
import type { Size, View } from '../view.ts';
import { footerLines } from './footer.ts';
import { helpLines } from './help.ts';
import { openRow, rowsOf, selectedRow } from './selection.ts';
import type { Ui } from './ui.ts';

export interface ScreenInput {
  readonly view: View;
  readonly ui: Ui;
  /** All of them; see `filterSections`. */
  readonly sections: readonly Section[];
  readonly issue: IssueData | null;
  readonly size: Size;
  readonly now: number;
  /** What quitting means here. */
  readonly quits: string;
}

/** The whole screen, line by line: exactly as many lines as it has. */
export function screenLines(input: ScreenInput): readonly Line[] {
  const { view, ui, size, now } = input;
  if (ui.help) return helpLines(input.quits, size);
  const paused = view.known?.state.paused ?? false;
  const footer = footerLines({ ui, paused, notice: view.notice, columns: size.columns, now }).slice(
    -size.rows,
  );
  const room: Size = { columns: size.columns, rows: Math.max(0, size.rows - footer.length) };
  const top =
    ui.open === null || input.issue === null ? board(input, room) : issueScreen(input, input.issue, room);
  return [...top, ...footer];
}

function board({ view, ui, sections, now }: ScreenInput, size: Size): readonly Line[] {
  const shown = filterSections(sections, ui.filter);
  const selected = selectedRow(ui, rowsOf(shown));
  return boardLines({ view, sections: shown, selected: selected?.key ?? null, filter: ui.filter, size, now });
}

function issueScreen({ view, ui, sections, now }: ScreenInput, data: IssueData, size: Size): readonly Line[] {
  const { open } = ui;
  if (open === null) return [];
  const row = openRow(ui, rowsOf(sections));
  return issueLines({
    view,
    row,
    identifier: open.identifier,
    tab: open.tab,
    scroll: open.scroll,
    data,
    size,
    now,
  });
}

/** One board as text, with every row: for a pipe, and for `--once`. */
export function wholeBoard(view: View, state: StateSnapshot, columns: number, now: number): readonly Line[] {
  const sections = sectionsOf(state);
  const rows = sections.reduce((sum, section) => sum + section.rows.length + 3, 60);
  const lines = boardLines({ view, sections, selected: null, filter: '', size: { columns, rows }, now });
  const last = lines.findLastIndex(({ spans }) => spans.length > 1);
  return lines.slice(0, last + 1);
}
