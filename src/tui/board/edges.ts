import { type Line, line, type Span, span } from '../text/paint.ts';
import { widthOf } from '../text/width.ts';

/** The line a section begins with. */
export function heading(title: Span, detail: string, columns: number): Line {
  const used = 3 + widthOf(title.text) + (detail === '' ? 0 : 1 + widthOf(detail)) + 1;
  return line(
    span('├─ ', 'quiet'),
    title,
    span(`${detail === '' ? '' : ` ${detail}`} ${'─'.repeat(Math.max(0, columns - used))}`, 'quiet'),
  );
}

/** A line of the board, or an empty one. */
export function rail(...spans: readonly Span[]): Line {
  return spans.length === 0 ? line(span('│', 'quiet')) : { spans: [span('│ ', 'quiet'), ...spans] };
}
