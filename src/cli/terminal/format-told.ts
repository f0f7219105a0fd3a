import type { ToldLine, Tone } from './narrate.ts';
import { fitTo, padTo, plainLine, wrapTo } from './text-width.ts';

export interface LineStyle {
  readonly color: boolean;
  /** Null for a stream without a width: nothing is cut. */
  readonly columns: number | null;
}

/** What is said often and matters for a moment only. */
const CUT: ReadonlySet<Tone> = new Set<Tone>(['plain', 'quiet']);
const WHO_COLUMNS = 9;
const MIN_COLUMNS = 40;

const COLORS: Readonly<Record<Tone, readonly [on: number, off: number] | null>> = {
  plain: null,
  start: [36, 39],
  good: [32, 39],
  bad: [31, 39],
  attention: [33, 39],
  quiet: [2, 22],
};

/** `12:03:04  TASK-1     running “Title”: …`, no wider than the terminal. */
export function formatTold({ who, text, tone }: ToldLine, time: string, style: LineStyle): string {
  const columns = style.columns === null ? null : Math.max(MIN_COLUMNS, style.columns);
  const indent = text.startsWith('  ') ? '  ' : '';
  const name = padTo(fitTo(plainLine(who ?? 'worker'), 16), WHO_COLUMNS);
  const body = `${indent}${plainLine(text)}`;
  const prefix = `${time}  ${name}  `;
  const room = columns === null ? null : columns - prefix.length;
  const shown =
    room === null || who === null || !CUT.has(tone) ? wrap(body, room, prefix.length) : fitTo(body, room);
  return `${paint(time, [2, 22], style.color)}  ${paint(name, [1, 22], style.color)}  ${paint(shown, COLORS[tone], style.color)}\n`;
}

/** What a person must read is never cut: it goes on under itself. */
function wrap(text: string, room: number | null, indent: number): string {
  if (room === null) return text;
  const words = text.split(' ').map((word) => fitTo(word, room));
  return wrapTo(words.join(' '), room).join(`\n${' '.repeat(indent)}`);
}

export function paint(text: string, code: readonly [number, number] | null, color: boolean): string {
  return color && code !== null ? `\u001B[${code[0]}m${text}\u001B[${code[1]}m` : text;
}

/** `NO_COLOR` and `FORCE_COLOR` as everybody has them; otherwise colours where a terminal shows them. */
export function wantsColor(
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  return isTerminal && environment['TERM'] !== 'dumb';
}

/** Local time of day. */
export function clockTime(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
