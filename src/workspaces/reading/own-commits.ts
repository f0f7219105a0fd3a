import type { RepositoryView } from './repository-view.ts';

/** Commits in a row, each the only parent of the next, on top of a commit of the base. */
export interface OwnCommits {
  /** The newest first. */
  readonly ids: readonly string[];
  /** What the oldest is based on. */
  readonly onto: string;
  /** Paths that differ between `onto` and the newest, one character per byte. */
  readonly changed: readonly string[];
}

/** More is counted by other means. */
const MAX_LISTED_BYTES = 4 * 1024 * 1024;
/** No file of an agent's is read: not its list of names, not its notes. */
const PLAIN = [
  '--no-mailmap',
  '--no-notes',
  '--no-decorate',
  '--no-show-signature',
  '--no-color',
  '--no-ext-diff',
];
const FORMAT = ['-z', '--raw', '--no-abbrev', '--no-renames', '--format=commit %H %P'];

/**
 * What a head has on top of a base, in one question. Null when that cannot be said so simply: for merges, for histories that have
 * nothing in common, for very much of it, or when git cannot tell.
 */
export async function readOwnCommits(
  view: RepositoryView,
  base: string,
  head: string,
): Promise<OwnCommits | null> {
  const output = await view.query(['log', ...PLAIN, ...FORMAT, `${base}..${head}`, '--'], {
    bytes: true,
    maxOutputBytes: MAX_LISTED_BYTES,
    prefixWillDo: true,
  });
  return output === null || output.length >= MAX_LISTED_BYTES - 1 ? null : parseOwnCommits(output, head);
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

interface Listed {
  readonly parents: readonly string[];
  readonly changes: Change[];
}

export function parseOwnCommits(output: string, head: string): OwnCommits | null {
  const listed = parseLog(output);
  if (listed === null) return null;
  const ids: string[] = [];
  const changes: Change[][] = [];
  let onto = head;
  for (let commit = listed.get(onto); commit !== undefined; commit = listed.get(onto)) {
    const [parent, ...others] = commit.parents;
    if (parent === undefined || others.length > 0 || ids.length > listed.size) return null;
    ids.push(onto);
    changes.push(commit.changes);
    onto = parent;
  }
  return ids.length === listed.size ? { ids, onto, changed: changedIn(changes.reverse().flat()) } : null;
}

function parseLog(output: string): Map<string, Listed> | null {
  const listed = new Map<string, Listed>();
  let last: Listed | null = null;
  const tokens = output.split('\0');
  for (let at = 0; at < tokens.length; at += 1) {
    const token = (tokens[at] ?? '').replace(/^\n/, '');
    if (token === '') continue;
    const commit = /^commit ([0-9a-f]{40,64}) ?([0-9a-f ]*)$/.exec(token);
    if (commit !== null) {
      last = { parents: (commit[2] ?? '').split(' ').filter(Boolean), changes: [] };
      listed.set(commit[1] ?? '', last);
      continue;
    }
    const [, before, after] = /^:(?:(\d+) )(?:(\d+) )/.exec(token) ?? [];
    const ids = token.split(' ');
    at += 1;
    const path = tokens[at];
    if (last === null || before === undefined || after === undefined || path === undefined) return null;
    last.changes.push({ path, before: `${before} ${ids[2]}`, after: `${after} ${ids[3]}` });
  }
  return listed;
}

/** What was changed and changed back does not count. */
function changedIn(changes: readonly Change[]): string[] {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const change of changes) {
    if (!before.has(change.path)) before.set(change.path, change.before);
    after.set(change.path, change.after);
  }
  return [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
}
