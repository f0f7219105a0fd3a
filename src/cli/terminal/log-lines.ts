import { BROKEN_FILE } from '../../trackers/local/broken-file.ts';
import type { ToldLine } from './narrate.ts';

export type Verbosity = 'debug' | 'info' | 'warn' | 'error';

const RANK: Readonly<Record<string, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
const OWN_KEYS: ReadonlySet<string> = new Set([
  'time',
  'level',
  'msg',
  'event',
  'warning',
  'fix',
  'lasted_ms',
]);
/** Said in a sentence of their own, in this order. */
const SPOKEN = ['problem', 'error', 'hint'] as const;

/**
 * A line of the log for a person, or null when it is not for them: what happens to issues is told from the state, and what
 * else is worth an `info` only to whoever asks for `debug`.
 */
export function tellLogLine(line: string, verbosity: Verbosity): ToldLine | null {
  const record = parse(line);
  if (record === null) return null;
  const level = String(record['level']);
  const rank = RANK[level] ?? 1;
  // What was a warning and is over is worth as much as its beginning.
  if (verbosity === 'info' && level === 'info' && 'warning' in record)
    return { who: null, text: wordsOf(record), tone: 'good' };
  if (verbosity !== 'debug' && (rank < 2 || isToldFromState(record))) return null;
  if (rank < (RANK[verbosity] ?? 1)) return null;
  const tone = rank >= 3 ? 'bad' : rank === 2 ? 'attention' : 'quiet';
  return { who: nameOf(record['issue_identifier']), text: wordsOf(record), tone };
}

/** Events are, and so are files that are no issues. */
function isToldFromState(record: Readonly<Record<string, unknown>>): boolean {
  return 'event' in record || record['msg'] === BROKEN_FILE;
}

function wordsOf(record: Readonly<Record<string, unknown>>): string {
  const spoken = SPOKEN.flatMap((key) => (key in record ? [textOf(record[key])] : []));
  const others = Object.entries(record)
    .filter(
      ([key]) =>
        !OWN_KEYS.has(key) && key !== 'issue_identifier' && !(SPOKEN as readonly string[]).includes(key),
    )
    .map(([key, value]) => `${key}=${textOf(value)}`);
  const message = [String(record['msg'] ?? ''), ...spoken].filter((text) => text !== '').join(': ');
  const fix = typeof record['fix'] === 'string' ? ` Fix: ${record['fix']}` : '';
  return `${message}${others.length === 0 ? '' : ` (${others.join(' ')})`}${fix}`;
}

/** An error is its message and its hint; a stack is for bug reports, which read JSON lines. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('message' in value))
    return JSON.stringify(value) ?? '';
  const hint = 'hint' in value && typeof value.hint === 'string' ? ` ${value.hint}` : '';
  return `${String(value.message)}${hint}`;
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
