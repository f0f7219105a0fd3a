import type { StateSnapshot } from '../../contract/state.ts';
import type { PatchMessage } from '../../contract/stream.ts';

const GROWING = ['ended', 'recent_events', 'completed_session_usage'] as const;
/** They go on by themselves, so that they alone are no change. */
const CLOCKS: ReadonlySet<string> = new Set(['runtime_seconds', 'seconds_running', 'generated_at']);

/**
 * What turns one snapshot into the next; null when nothing has changed, `'everything'` when a list was not just added
 * to. With `clocks`, running times are brought up to date as well.
 */
export function diffSnapshots(
  before: StateSnapshot,
  after: StateSnapshot,
  clocks = false,
): PatchMessage | null | 'everything' {
  const ended = addedInFront(before.ended, after.ended);
  const events = addedInFront(before.recent_events, after.recent_events);
  const usage = addedAtEnd(before.completed_session_usage, after.completed_session_usage);
  if (ended === null || events === null || usage === null) return 'everything';
  const set: Record<string, unknown> = { generated_at: after.generated_at };
  for (const key of Object.keys(after) as (keyof StateSnapshot)[]) {
    if (key === 'generated_at' || (GROWING as readonly string[]).includes(key)) continue;
    if (differs(before[key], after[key], clocks)) set[key] = after[key];
  }
  const added = ended.length + events.length + usage.length;
  if (added === 0 && Object.keys(set).length === 1) return null;
  return {
    type: 'patch',
    set: set as PatchMessage['set'],
    add: {
      ...(ended.length === 0 ? {} : { ended }),
      ...(events.length === 0 ? {} : { recent_events: events }),
      ...(usage.length === 0 ? {} : { completed_session_usage: usage }),
    },
  };
}

function differs(before: unknown, after: unknown, clocks: boolean): boolean {
  if (Object.is(before, after)) return false;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return true;
  return !sameShape(before, after, clocks);
}

/** Deep equality of plain data, apart from the clocks. */
function sameShape(a: object, b: object, clocks: boolean): boolean {
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    if (!Object.hasOwn(b, key)) return false;
    if (!clocks && CLOCKS.has(key)) return true;
    return !differs(Reflect.get(a, key), Reflect.get(b, key), clocks);
  });
}

/** New rows of a list that grows at its beginning, oldest first; null when the old rows are not where they were. */
function addedInFront<T>(before: readonly T[], after: readonly T[]): T[] | null {
  if (before === after) return [];
  const [newest] = before;
  const at = newest === undefined ? after.length : after.indexOf(newest);
  return at < 0 ? null : after.slice(0, at).toReversed();
}

function addedAtEnd<T>(before: readonly T[], after: readonly T[]): T[] | null {
  if (before === after) return [];
  const newest = before.at(-1);
  const at = newest === undefined ? -1 : after.lastIndexOf(newest);
  return newest !== undefined && at < 0 ? null : after.slice(at + 1);
}
