import { fitTo, padTo, widthOf } from './width.ts';

/** What a text means; how that looks is decided in one place. */
export type Tone =
  | 'plain'
  | 'strong'
  | 'quiet'
  | 'good'
  | 'bad'
  | 'attention'
  | 'name'
  | 'number'
  | 'time'
  | 'active';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One line of the screen; the texts are clean and fit. */
export interface Line {
  readonly spans: readonly Span[];
  /** The row that keys act on. */
  readonly selected?: boolean;
}

const CODES: Readonly<Record<Tone, readonly [on: string, off: string] | null>> = {
  plain: null,
  strong: ['1', '22'],
  quiet: ['90', '39'],
  good: ['32', '39'],
  bad: ['31', '39'],
  attention: ['33', '39'],
  name: ['36', '39'],
  number: ['33', '39'],
  time: ['35', '39'],
  active: ['34', '39'],
};

export function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone };
}

export function line(...spans: readonly (Span | string)[]): Line {
  return { spans: spans.map((part) => (typeof part === 'string' ? span(part) : part)) };
}

export function plainText({ spans }: Line): string {
  return spans.map(({ text }) => text).join('');
}

/** The line for a terminal: cut to its width, with colours only where they are wanted. */
export function paintLine(source: Line, columns: number, color: boolean): string {
  const fitted = fitSpans(source.spans, columns);
  if (!color) return fitted.map(({ text }) => text).join('');
  if (source.selected === true) {
    return `\u001B[7m${padTo(fitted.map(({ text }) => text).join(''), columns)}\u001B[27m`;
  }
  return fitted.map(paintSpan).join('');
}

function paintSpan({ text, tone }: Span): string {
  const code = CODES[tone];
  return code === null || text === '' ? text : `\u001B[${code[0]}m${text}\u001B[${code[1]}m`;
}

function fitSpans(spans: readonly Span[], columns: number): readonly Span[] {
  const kept: Span[] = [];
  let room = columns;
  for (const part of spans) {
    const width = widthOf(part.text);
    if (width > room) {
      kept.push({ text: fitTo(part.text, room), tone: part.tone });
      return kept;
    }
    kept.push(part);
    room -= width;
  }
  return kept;
}
