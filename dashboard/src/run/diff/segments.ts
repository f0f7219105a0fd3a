import { diffWordsWithSpace } from 'diff';

/** A stretch of a line: its colour, and whether it is what changed. */
export interface Segment {
  readonly text: string;
  readonly className: string;
  readonly changed: boolean;
}

export interface Coloured {
  readonly text: string;
  readonly className: string;
}

/** Longer lines are compared as a whole only. */
const MAX_COMPARED = 600;
/** When more than this part of a line changed, marking words says nothing. */
const MAX_CHANGED = 0.75;

/** From where to where in `text` it differs from `other`; empty when the whole line does. */
export function changedRanges(
  text: string,
  other: string,
  side: 'before' | 'after',
): readonly (readonly [number, number])[] {
  if (text.length > MAX_COMPARED || other.length > MAX_COMPARED) return [];
  const parts = side === 'before' ? diffWordsWithSpace(text, other) : diffWordsWithSpace(other, text);
  const ranges: [number, number][] = [];
  let at = 0;
  let changed = 0;
  for (const { value, added, removed } of parts) {
    if (side === 'before' ? added : removed) continue;
    if (side === 'before' ? removed : added) {
      ranges.push([at, at + value.length]);
      changed += value.trim().length;
    }
    at += value.length;
  }
  return changed > text.trim().length * MAX_CHANGED ? [] : ranges;
}

/** The coloured parts of a line, cut where what changed begins and ends. */
export function markChanges(
  parts: readonly Coloured[],
  ranges: readonly (readonly [number, number])[],
): readonly Segment[] {
  const edges = new Set(ranges.flat());
  const segments: Segment[] = [];
  let at = 0;
  for (const { text, className } of parts) {
    let from = 0;
    for (let offset = 1; offset <= text.length; offset += 1) {
      if (offset < text.length && !edges.has(at + offset)) continue;
      const start = at + from;
      const changed = ranges.some(([first, end]) => start >= first && start < end);
      segments.push({ text: text.slice(from, offset), className, changed });
      from = offset;
    }
    at += text.length;
  }
  return segments;
}
