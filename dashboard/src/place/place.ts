/** Where the page is: what its address says. */
export type Place =
  | { readonly view: 'board'; readonly query: Query }
  | { readonly view: 'run'; readonly run: string; readonly query: Query }
  | { readonly view: 'history'; readonly query: Query }
  | { readonly view: 'issues'; readonly query: Query }
  | { readonly view: 'nowhere'; readonly query: Query };

/** Filters and choices, by their names in the address. */
export type Query = Readonly<Record<string, string>>;

export function readPlace(path: string, search: string): Place {
  const { worker: _others, ...query } = Object.fromEntries(new URLSearchParams(search));
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length === 0) return { view: 'board', query };
  const [first] = parts;
  if (parts.length === 1 && (first === 'history' || first === 'issues')) return { view: first, query };
  const run = parts.length === 2 && parts[0] === 'runs' ? decode(parts[1] ?? '') : null;
  return run === null ? { view: 'nowhere', query } : { view: 'run', run, query };
}

export function runAddress(run: string, query: Query = {}): string {
  return `/runs/${encodeURIComponent(run)}${writeQuery(query)}`;
}

/** Values that are empty are left out. */
export function writeQuery(query: Query): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  return filled.length === 0 ? '' : `?${new URLSearchParams(filled)}`;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
