import type { TimelineEntry } from '../../contract/runs.ts';
import { cleanLine } from '../text/clean.ts';
import { formatClock } from '../text/clock.ts';
import { type Line, line, span, type Tone } from '../text/paint.ts';
import { padTo, wrapTo } from '../text/width.ts';

const KIND_COLUMNS = 15;
const MAX_LINES_EACH = 12;
/** Counters that change all the time; the facts show them. */
const SILENT: ReadonlySet<string> = new Set(['usage', 'rate_limits']);

export function isShown({ kind }: TimelineEntry): boolean {
  return !SILENT.has(kind);
}

/** The last lines of a transcript: `needed` of them when there are so many. */
export function transcriptLines(
  entries: readonly TimelineEntry[],
  columns: number,
  needed: number,
): readonly Line[] {
  const blocks: Line[][] = [];
  let count = 0;
  for (let index = entries.length - 1; index >= 0 && count < needed; index -= 1) {
    const entry = entries[index];
    if (entry === undefined || !isShown(entry)) continue;
    const block = entryLines(entry, columns);
    blocks.push(block);
    count += block.length;
  }
  return blocks.reverse().flat();
}

function entryLines({ at, kind, message }: TimelineEntry, columns: number): Line[] {
  const clock = formatClock(Date.parse(at));
  const name = cleanLine(kind).replaceAll('_', ' ');
  const wide = columns >= 70;
  const indent = clock.length + 2 + (wide ? KIND_COLUMNS + 2 : 0);
  const text = cleanLine(message);
  const parts = wrapTo(text === '' ? name : text, Math.max(10, columns - indent));
  const cut = parts.length > MAX_LINES_EACH;
  return parts.slice(0, MAX_LINES_EACH).map((part, index) => {
    const shown = cut && index === MAX_LINES_EACH - 1 ? `${part} …` : part;
    if (index > 0) return line(span(' '.repeat(indent)), span(shown, toneOf(kind)));
    return line(
      span(`${clock}  `, 'quiet'),
      ...(wide ? [span(`${padTo(name, KIND_COLUMNS)}  `, 'quiet')] : []),
      span(shown, toneOf(kind)),
    );
  });
}

function toneOf(kind: string): Tone {
  if (/fail|error/.test(kind)) return 'bad';
  if (/question|input|approval|blocked/.test(kind)) return 'attention';
  if (/^(?:phase|workspace|session|turn)/.test(kind)) return 'name';
  return 'plain';
}
