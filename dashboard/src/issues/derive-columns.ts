import type { IssueCard, TrackerBoard } from '../../../src/contract/tracker-issues.ts';

export interface ColumnView {
  readonly name: string;
  readonly kind: TrackerBoard['states'][number]['kind'];
  readonly cards: readonly IssueCard[];
}

/** Moves that the worker has not answered yet: where each issue is on its way to. */
export type Moves = ReadonlyMap<string, string>;

/** One column for each state, also those without an issue: something can be moved there. */
export function deriveColumns(board: TrackerBoard, search: string, moves: Moves): readonly ColumnView[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const cards = board.issues
    .filter((card) => words.every((word) => textOf(card).includes(word)))
    .map((card) => ({ ...card, state: moves.get(card.id) ?? card.state }));
  return board.states.map(({ name, kind }) => ({
    name,
    kind,
    cards: cards.filter(({ state }) => same(state, name)),
  }));
}

/** The state beside that of a card; null at the end. */
export function stateBeside(columns: readonly ColumnView[], state: string, step: number): string | null {
  const at = columns.findIndex(({ name }) => same(name, state));
  return at < 0 ? null : (columns[at + step]?.name ?? null);
}

/** The card that an arrow key leads to: up and down in a column, left and right to the next one that has any. */
export function cardBeside(columns: readonly ColumnView[], id: string, key: string): string | null {
  const filled = columns.filter(({ cards }) => cards.length > 0);
  const column = filled.findIndex(({ cards }) => cards.some((card) => card.id === id));
  const row = filled[column]?.cards.findIndex((card) => card.id === id) ?? -1;
  if (row < 0) return null;
  if (key === 'ArrowUp') return filled[column]?.cards[row - 1]?.id ?? null;
  if (key === 'ArrowDown') return filled[column]?.cards[row + 1]?.id ?? null;
  const next = filled[column + (key === 'ArrowLeft' ? -1 : 1)]?.cards ?? [];
  return next[Math.min(row, next.length - 1)]?.id ?? null;
}

function textOf({ identifier, title, labels, assignee }: IssueCard): string {
  return [identifier, title, ...labels, assignee ?? ''].join(' ').toLowerCase();
}

/** States have one spelling in the list of them; an issue's file may have another. */
function same(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
