import { type Line, line, span } from '../text/paint.ts';
import type { Size } from '../view.ts';

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['↑ ↓  j k', 'select an issue; page up and down, home and end'],
  ['enter', 'open it: live transcript, diff, facts'],
  ['tab  d  t', 'in an issue: the next part, the diff, the transcript'],
  ['esc', 'back to the board; on the board: clear the filter'],
  ['s', 'stop its run, after asking; it is then held'],
  ['r', 'retry it now, with fresh budgets or by a push where needed'],
  ['a', 'answer its question'],
  ['m', 'say something to its running agent'],
  ['p', 'pause: start no new runs; again: resume'],
  ['/', 'show only rows with these words'],
  ['o  O', 'open the pull request or issue, or the page of the worker'],
  ['?', 'this help'],
  ['q', 'quit'],
  ['ctrl-z', 'back to the shell for a while; its `fg` brings the board back'],
];

const MARKS: readonly (readonly [mark: string, means: string])[] = [
  ['●', 'runs'],
  ['?', 'asks'],
  ['!', 'needs you'],
  ['·', 'waits'],
  ['◆', 'review'],
  ['↻', 'retry'],
  ['✓', 'done'],
  ['✗', 'failed'],
];

/** The keys, in place of the board. `quits` says what quitting means here. */
export function helpLines(quits: string, { rows, columns }: Size): readonly Line[] {
  const rule = '─'.repeat(Math.max(1, columns - 10));
  const lines = [
    line(span('╭─ ', 'quiet'), span('Keys', 'strong'), span(` ${rule}`, 'quiet')),
    ...KEYS.map(([key, does]) =>
      line(span('│  ', 'quiet'), span(key.padEnd(11), 'name'), span(key === 'q' ? quits : does)),
    ),
    line(span('│', 'quiet')),
    line(
      span('│  ', 'quiet'),
      ...MARKS.flatMap(([mark, means]) => [span(mark, 'strong'), span(` ${means}  `, 'quiet')]),
    ),
  ];
  const filler = Array.from({ length: Math.max(0, rows - 1 - lines.length) }, () => line(span('│', 'quiet')));
  return [
    ...lines.slice(0, rows - 1),
    ...filler,
    line(span('╰─ ', 'quiet'), span('esc', 'strong'), span(' back', 'quiet')),
  ];
}
