import type { BoardRow, Section } from '../board/rows.ts';
import type { Ui } from './ui.ts';

export function rowsOf(sections: readonly Section[]): readonly BoardRow[] {
  return sections.flatMap(({ rows }) => rows);
}

/**
 * The selected row as things stand now: the same row, else another row of the same issue, else whatever has taken its
 * place; the first when nothing was selected.
 */
export function selectedRow(ui: Ui, rows: readonly BoardRow[]): BoardRow | null {
  const { selected } = ui;
  if (selected === null) return rows[0] ?? null;
  return (
    rows.find(({ key }) => key === selected.key) ??
    rows.find(({ issueId }) => issueId === selected.issueId) ??
    rows[Math.min(selected.index, rows.length - 1)] ??
    null
  );
}

/** The row of the open issue: the one that says most about it comes first on the board. */
export function openRow(ui: Ui, rows: readonly BoardRow[]): BoardRow | null {
  return ui.open === null ? null : (rows.find(({ issueId }) => issueId === ui.open?.issueId) ?? null);
}

export function select(ui: Ui, rows: readonly BoardRow[], move: (index: number) => number): Ui {
  const now = selectedRow(ui, rows);
  if (now === null) return ui;
  const index = Math.min(Math.max(0, move(rows.indexOf(now))), rows.length - 1);
  const row = rows[index] ?? now;
  return { ...ui, selected: { key: row.key, issueId: row.issueId, index } };
}
