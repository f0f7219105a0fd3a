/** A section that wants lines of the screen. */
export interface ActionRequest {
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
export function allotLines(requests: readonly ActionRequest[], lines: number): readonly Share[] {
  const shown = requests.map(({ rows }) => Math.min(1, rows));
  const visible = requests.map(() => true);
  const used = (): number =>
    requests.reduce((sum, { head }, index) => sum + (visible[index] ? head + (shown[index] ?? 0) : 0), 0);
  for (let index = requests.length - 1; index >= 0 && used() > lines; index -= 1) {
    if (requests[index]?.selected === null) visible[index] = false;
  }
  let left = lines - used();
  const grow = (limit: (request: ActionRequest) => number): void => {
    for (let grown = true; grown && left > 0; ) {
      grown = false;
      requests.forEach((request, index) => {
        const now = shown[index] ?? 0;
        if (!visible[index] || left <= 0 || now >= Math.min(request.rows, limit(request))) return;
        shown[index] = now + 1;
        left -= 1;
        grown = true;
      });
    }
  };
  grow(({ modest }) => modest);
  grow(({ rows }) => rows);
  return requests.map((request, index) => {
    const count = visible[index] ? (shown[index] ?? 0) : 0;
    return { from: firstShown(request, count), shown: count, visible: visible[index] ?? false };
  });
}

/** The selected row is kept in the middle where it can be. */
function firstShown({ rows, selected }: ActionRequest, count: number): number {
  if (selected === null || count >= rows) return 0;
  return Math.min(Math.max(0, selected - Math.floor(count / 2)), rows - count);
}
