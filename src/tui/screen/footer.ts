import { cleanLine } from '../text/clean.ts';
import { type Line, line, type Span, span } from '../text/paint.ts';
import { fitTo, widthOf, wrapTo } from '../text/width.ts';
import type { Input, Ui } from './ui.ts';

const CORNER = '╰─ ';
/** How long a remark is shown, in milliseconds. */
export const REMARK_MS = 6_000;

type Hint = readonly [key: string, does: string];

/** The first that do not fit are left out, the last two always stay. */
const BOARD_KEYS: readonly Hint[] = [
  ['↑↓', 'select'],
  ['⏎', 'open'],
  ['s', 'stop'],
  ['r', 'retry'],
  ['a', 'answer'],
  ['m', 'message'],
  ['p', 'pause'],
  ['/', 'filter'],
  ['o', 'browse'],
];
const ISSUE_KEYS: readonly Hint[] = [
  ['esc', 'back'],
  ['tab', 'diff/facts'],
  ['↑↓', 'scroll'],
  ['s', 'stop'],
  ['r', 'retry'],
  ['a', 'answer'],
  ['m', 'message'],
  ['o', 'browse'],
];
const LAST_KEYS: readonly Hint[] = [
  ['?', 'help'],
  ['q', 'quit'],
];

export interface FooterInput {
  readonly ui: Ui;
  readonly paused: boolean;
  /** Something to say while nothing else is. */
  readonly notice: string | null;
  readonly columns: number;
  readonly now: number;
}

/** The last lines of the screen: what is being typed or asked, else what just happened, else the keys. */
export function footerLines(input: FooterInput): readonly Line[] {
  const { ui, columns, now } = input;
  if (ui.input !== null) return inputLines(ui.input, columns);
  if (ui.question !== null) {
    const keys = '  y yes  n no';
    const parts = wrapTo(ui.question.text, columns - 4 - keys.length);
    return parts.map((part, index) =>
      index === parts.length - 1
        ? line(span(CORNER, 'quiet'), span(part, 'attention'), span(keys, 'strong'))
        : line(span('│  ', 'quiet'), span(part, 'attention')),
    );
  }
  if (ui.remark !== null && now - ui.remark.at < REMARK_MS) {
    const parts = wrapTo(cleanLine(ui.remark.text), columns - 4).slice(0, 3);
    const { tone } = ui.remark;
    return parts.map((part, index) =>
      line(span(index === parts.length - 1 ? CORNER : '│  ', 'quiet'), span(part, tone)),
    );
  }
  const notice =
    input.notice === null
      ? []
      : wrapTo(cleanLine(input.notice), columns - 4)
          .slice(0, 3)
          .map((part) => line(span('│ ', 'quiet'), span(part, 'good')));
  return [...notice, keysLine(input)];
}

function keysLine({ ui, paused, columns }: FooterInput): Line {
  const hints = (ui.open === null ? BOARD_KEYS : ISSUE_KEYS).map(([key, does]): Hint => {
    if (key === 'p' && paused) return [key, 'resume'];
    return key === '/' && ui.filter !== ''
      ? [key, `filter: ${fitTo(cleanLine(ui.filter), 16)} (esc clears)`]
      : [key, does];
  });
  const roomy = hintWidth([...hints, ...LAST_KEYS], 2) <= columns - CORNER.length;
  const gap = roomy ? 2 : 1;
  const shown: Hint[] = [];
  let room = columns - CORNER.length - hintWidth(LAST_KEYS, gap);
  // Without enough room the arrows go without saying.
  for (const hint of roomy ? hints : hints.filter(([key]) => key !== '↑↓')) {
    const width = hintWidth([hint], gap);
    if (width > room) continue;
    shown.push(hint);
    room -= width;
  }
  const spans: readonly Span[] = [...shown, ...LAST_KEYS].flatMap(([key, does]) => [
    span(key, 'strong'),
    span(` ${does}${' '.repeat(gap)}`, 'quiet'),
  ]);
  return { spans: [span(CORNER, 'quiet'), ...spans] };
}

function hintWidth(hints: readonly Hint[], gap: number): number {
  return hints.reduce((sum, [key, does]) => sum + widthOf(key) + 1 + widthOf(does) + gap, 0);
}

const PROMPTS: Readonly<Record<Input['kind'], string>> = {
  filter: 'Filter',
  answer: 'Answer',
  message: 'Message to',
};

/** What is typed is shown whole as long as it takes no more than a few lines; the end of it always is. */
function inputLines({ kind, identifier, about, text }: Input, columns: number): readonly Line[] {
  const name = kind === 'filter' ? 'Filter: ' : `${PROMPTS[kind]} ${identifier}: `;
  const help = kind === 'filter' ? 'enter keeps it, esc clears it' : 'enter sends, esc leaves';
  const question = about === '' ? [] : wrapTo(`? ${about}`, columns - 4).slice(0, 4);
  const typed = wrapTo(
    `${name}${cleanLine(`${text}_`.replaceAll('\n', ' ⏎ '))}`.replace(/_$/, '▏'),
    columns - 4,
  ).slice(-4);
  return [
    ...question.map((part) => line(span('│ ', 'quiet'), span(part, 'attention'))),
    ...typed.map((part) => line(span('│ ', 'quiet'), span(part, 'strong'))),
    line(span(CORNER, 'quiet'), span(help, 'quiet')),
  ];
}
