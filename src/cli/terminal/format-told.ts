import type { ToldLine } from './narrate.ts';
import { fitTo, padTo, plainLine, wrapTo } from './text-width.ts';
import { paint, type Tone } from './tones.ts';

export interface LineStyle {
  readonly color: boolean;
  /** Null for a stream without a width: nothing is cut. */
  readonly columns: number | null;
}

/** What is said often and matters for a moment only. */
const CUT: ReadonlySet<Tone> = new Set<Tone>(['plain', 'quiet']);
const WHO_COLUMNS = 9;
const MIN_COLUMNS = 40;

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
  return `${paint(time, 'quiet', style.color)}  ${paint(name, 'strong', style.color)}  ${paint(shown, tone, style.color)}\n`;
}

/** What a person must read is never cut: it goes on under itself. */
function wrap(text: string, room: number | null, indent: number): string {
  if (room === null) return text;
  const words = text.split(' ').map((word) => fitTo(word, room));
  return wrapTo(words.join(' '), room).join(`\n${' '.repeat(indent)}`);
}
