/** Tells a terminal to show what follows at once, where it can; others skip it. */
const BEGIN = '\u001B[?2026h';
const END = '\u001B[?2026l';
const CLEAR_LINE_END = '\u001B[K';
const RESET = '\u001B[0m';

/**
 * What turns the lines on a screen into others: each that changed is written in its place, whatever the cursor was at. ''
 * when nothing changed.
 */
export function changedLines(before: readonly string[], after: readonly string[]): string {
  const parts: string[] = [];
  for (let row = 0; row < Math.max(before.length, after.length); row += 1) {
    const text = after[row] ?? '';
    if (text !== before[row]) parts.push(`\u001B[${row + 1};1H${RESET}${text}${CLEAR_LINE_END}`);
  }
  return parts.length === 0 ? '' : `${BEGIN}${parts.join('')}${END}`;
}
