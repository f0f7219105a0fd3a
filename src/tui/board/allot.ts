/** A section that wants lines of the screen. */
export interface Wish {
  readonly rows: number;
  /** Lines it shows before its rows, its heading included. */
  readonly head: number;
  /** The place of the selected row in it; null when that is elsewhere. */
  readonly selected: number | null;
  /** Rows it is content with while others want more. */
  readonly modest: number;
}

export interface Share {
  /** The first row that is shown, and how many; no rows and no head for a section without room. */
  readonly from: number;
  readonly shown: number;
  readonly visible: boolean;
}

/**
 * Shares out the lines of the screen: every section shows itself and a row as long as there is room, the last ones go
 * first, the one with the selected row stays. Then all grow evenly, first up to what they are content with.
 */
export function allotLines(wishes: readonly Wish[], lines: number): readonly Share[] {
  const shown = wishes.map(({ rows }) => Math.min(1, rows));
  const visible = wishes.map(() => true);
  const used = (): number =>
    wishes.reduce((sum, { head }, index) => sum + (visible[index] ? head + (shown[index] ?? 0) : 0), 0);
  for (let index = wishes.length - 1; index >= 0 && used() > lines; index -= 1) {
    if (wishes[index]?.selected === null) visible[index] = false;
  }
  let left = lines - used();
  const grow = (limit: (wish: Wish) => number): void => {
    for (let grown = true; grown && left > 0; ) {
      grown = false;
      wishes.forEach((wish, index) => {
        const now = shown[index] ?? 0;
        if (!visible[index] || left <= 0 || now >= Math.min(wish.rows, limit(wish))) return;
        shown[index] = now + 1;
        left -= 1;
        grown = true;
      });
    }
  };
  grow(({ modest }) => modest);
  grow(({ rows }) => rows);
  return wishes.map((wish, index) => {
    const count = visible[index] ? (shown[index] ?? 0) : 0;
    return { from: firstShown(wish, count), shown: count, visible: visible[index] ?? false };
  });
}

/** The selected row is kept in the middle where it can be. */
function firstShown({ rows, selected }: Wish, count: number): number {
  if (selected === null || count >= rows) return 0;
  return Math.min(Math.max(0, selected - Math.floor(count / 2)), rows - count);
}
