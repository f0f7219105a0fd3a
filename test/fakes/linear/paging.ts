export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

export interface FakePage<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

const DEFAULT_SIZE = 50;
const MAX_PAGE = 250;

/** A Relay connection whose cursors are the ids of its entries, as Linear's are. */
export function toPage<T extends { readonly id: string }>(
  entries: readonly T[],
  args: PageArguments,
): FakePage<T> {
  const size = args.first ?? args.last ?? DEFAULT_SIZE;
  if (size < 1 || size > MAX_PAGE) throw new Error(`a page of ${size} entries cannot be asked for`);
  const start = args.after == null ? 0 : indexOf(entries, args.after) + 1;
  const end = args.before == null ? entries.length : indexOf(entries, args.before);
  const range = entries.slice(start, end);
  const nodes = args.last != null && args.first == null ? range.slice(-size) : range.slice(0, size);
  return {
    nodes,
    pageInfo: {
      hasNextPage: nodes.length > 0 && nodes.at(-1) !== entries.at(-1),
      hasPreviousPage: nodes.length > 0 && nodes[0] !== entries[0],
      startCursor: nodes[0]?.id ?? null,
      endCursor: nodes.at(-1)?.id ?? null,
    },
  };
}

function indexOf(entries: readonly { readonly id: string }[], cursor: string): number {
  const index = entries.findIndex((entry) => entry.id === cursor);
  if (index === -1) throw new Error('the cursor does not exist');
  return index;
}
