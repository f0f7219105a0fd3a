/** A removal that comes this soon after the remote was asked need not ask it again. */
const RECENT_MS = 30_000;
const MAX_REMEMBERED = 10_000;

/** What was found out about workspaces a while ago and still holds. */
export interface KnownFacts {
  /** The remote itself said that it has this commit, as the tip of the branch. */
  noteOnRemote(workTree: string, commit: string): void;
  /** Whether it said so just now. */
  isOnRemote(workTree: string, commit: string): boolean;
  /** So many commits does a base have that a head lacks; two commits never change. */
  noteBehind(workTree: string, head: string, base: string, behind: number): void;
  /** Null when it is to be counted. */
  behind(workTree: string, head: string, base: string): number | null;
}

export function createKnownFacts(now: () => number = () => performance.now()): KnownFacts {
  const onRemote = new Map<string, { readonly commit: string; readonly at: number }>();
  const counted = new Map<string, { readonly pair: string; readonly behind: number }>();
  return {
    noteOnRemote: (workTree, commit) => remember(onRemote, workTree, { commit, at: now() }),
    isOnRemote(workTree, commit) {
      const last = onRemote.get(workTree);
      return last !== undefined && last.commit === commit && now() - last.at < RECENT_MS;
    },
    noteBehind: (workTree, head, base, behind) =>
      remember(counted, workTree, { pair: `${head} ${base}`, behind }),
    behind(workTree, head, base) {
      const last = counted.get(workTree);
      return last?.pair === `${head} ${base}` ? last.behind : null;
    },
  };
}

/** The oldest makes way. */
function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  memory.delete(key);
  const [oldest] = memory.keys();
  if (memory.size >= MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest);
  memory.set(key, value);
}
