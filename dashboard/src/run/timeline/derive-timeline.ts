import type { TimelineEntry } from '../../../../src/contract/runs.ts';
import { describeEntry } from './describe-entry.ts';

/** What kind of thing a row is about; also the names of the filter. */
export type Topic = 'messages' | 'commands' | 'tools' | 'changes' | 'worker';

export interface TimelineItem {
  /** The number of its first event. */
  readonly key: number;
  readonly at: string;
  readonly topic: Topic;
  /** A word for the column on the left. */
  readonly label: string;
  readonly text: string;
  /** What the text is: prose wraps as written, code keeps its type. */
  readonly look: 'prose' | 'code' | 'quiet' | 'turn';
  readonly tone: 'plain' | 'good' | 'attention' | 'bad';
  /** `exit 1`, `2.4 s`, `12.9k tokens` */
  readonly facts: readonly string[];
  readonly input: string | null;
  readonly output: string | null;
}

/** Counters that change all the time; they are told with the turn they belong to. */
const SILENT: ReadonlySet<string> = new Set(['usage', 'rate_limits']);

/** The rows of a run's timeline: the beginning and the end of one call, and of one turn, are one row. */
export function deriveTimeline(entries: readonly TimelineEntry[]): readonly TimelineItem[] {
  const items: TimelineItem[] = [];
  const openCalls = new Map<string, number>();
  const turns = new Map<number, { readonly index: number; readonly at: string }>();
  let last = entries[0]?.seq === undefined ? 0 : entries[0].seq - 1;
  for (const entry of entries) {
    if (entry.seq > last + 1) items.push(gap(entry, entry.seq - last - 1));
    last = entry.seq;
    if (SILENT.has(entry.kind)) continue;
    if (entry.kind === 'turn_started') {
      turns.set(numberOf(entry.detail['turn']), { index: items.length, at: entry.at });
      items.push(describeEntry(entry));
      continue;
    }
    if (isTurnEnd(entry)) endTurn(items, turns, entry);
    const call = typeof entry.detail['call_id'] === 'string' ? entry.detail['call_id'] : '';
    const begun = call === '' ? undefined : openCalls.get(call);
    const earlier = begun === undefined ? undefined : items[begun];
    if (begun !== undefined && earlier !== undefined) {
      items[begun] = joinCall(earlier, describeEntry(entry));
      openCalls.delete(call);
      continue;
    }
    if (call !== '' && entry.detail['output'] === undefined && entry.detail['exit_code'] === undefined)
      openCalls.set(call, items.length);
    if (entry.kind !== 'turn_completed') items.push(describeEntry(entry));
  }
  return items;
}

/** Rows of the topic, or only what went wrong, in which the words occur. */
export function filterTimeline(
  items: readonly TimelineItem[],
  topic: string,
  search: string,
): readonly TimelineItem[] {
  const words = search.trim().toLowerCase();
  if (topic === '' && words === '') return items;
  return items.filter((item) => isAbout(item, topic) && (words === '' || holds(item, words)));
}

function isAbout(item: TimelineItem, topic: string): boolean {
  if (topic === '') return true;
  return topic === 'problems' ? item.tone === 'bad' || item.tone === 'attention' : item.topic === topic;
}

function holds({ text, label, input, output }: TimelineItem, words: string): boolean {
  return [text, label, input, output].some((part) => part?.toLowerCase().includes(words));
}

function joinCall(begun: TimelineItem, ended: TimelineItem): TimelineItem {
  return { ...ended, key: begun.key, at: begun.at, text: begun.text, input: ended.input ?? begun.input };
}

function isTurnEnd({ kind }: TimelineEntry): boolean {
  return kind.startsWith('turn_') && kind !== 'turn_started';
}

/** The row of a turn gets what the turn took. */
function endTurn(
  items: TimelineItem[],
  turns: ReadonlyMap<number, { readonly index: number; readonly at: string }>,
  entry: TimelineEntry,
): void {
  const begun = turns.get(numberOf(entry.detail['turn']));
  const row = begun === undefined ? undefined : items[begun.index];
  if (begun === undefined || row === undefined) return;
  const seconds = (Date.parse(entry.at) - Date.parse(begun.at)) / 1000;
  items[begun.index] = { ...row, facts: [`${seconds.toFixed(1)} s`, ...describeEntry(entry).facts] };
}

function gap({ seq, at }: TimelineEntry, missing: number): TimelineItem {
  return {
    key: seq - 0.5,
    at,
    topic: 'worker',
    label: 'gap',
    text: `${missing.toLocaleString('en-US')} ${missing === 1 ? 'event was' : 'events were'} not kept`,
    look: 'quiet',
    tone: 'attention',
    facts: [],
    input: null,
    output: null,
  };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
