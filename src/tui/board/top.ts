import { formatAge } from '../../contract/format.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { cleanCode, cleanLine } from '../text/clean.ts';
import { formatClock } from '../text/clock.ts';
import { type Line, line, type Span, span } from '../text/paint.ts';
import { widthOf, wrapTo } from '../text/width.ts';
import type { Size, View } from '../view.ts';
import { alertsOf } from './alerts.ts';
import { heading, rail } from './edges.ts';

/** From this height on there is room for the names of the columns, and for what is only good to know. */
export const TALL = 32;
export const SHORT = 18;

const CONNECTION: Readonly<Record<View['connection']['kind'], Span>> = {
  connecting: span('○ connecting', 'attention'),
  live: span('● live', 'good'),
  polling: span('◐ polling', 'attention'),
  away: span('○ worker away', 'bad'),
};

export function titleLine(view: View, { columns }: Size, now: number): Line {
  const { known, connection } = view;
  const version = known === null ? '' : ` ${cleanLine(known.state.version)}`;
  const name = `aiops${version}`;
  const state = CONNECTION[connection.kind];
  const clock = formatClock(now);
  const paused = known?.state.paused === true ? [span('PAUSED ', 'attention')] : [];
  const used = 3 + widthOf(name) + 1 + 1 + paused.length * 7 + widthOf(state.text) + 2 + clock.length;
  const rule = '─'.repeat(Math.max(1, columns - used));
  return line(
    span('╭─ ', 'quiet'),
    span(name, 'strong'),
    span(` ${rule} `, 'quiet'),
    ...paused,
    state,
    span(`  ${clock}`, 'quiet'),
  );
}

/** While the worker is away: since when, why, and how old what is shown is. */
export function awayLines({ connection, known }: View, { columns }: Size, now: number): readonly Line[] {
  if (connection.kind !== 'away' || known === null) return [];
  const since = formatAge((now - connection.since) / 1000);
  const heard = formatClock(known.receivedAt);
  const text = `The worker went away ${since}; this is how things stood at ${heard}. Trying again. ${connection.problem ?? ''}`;
  return wrapTo(cleanLine(text), columns - 4)
    .slice(0, 2)
    .map((part) => rail(span(`! ${part}`, 'bad')));
}

/** Before anything was heard of the worker. */
export function welcomeLines({ connection }: View, { columns, rows }: Size): readonly Line[] {
  const text = connection.problem ?? 'Connecting to the worker.';
  const advice = connection.kind === 'away' ? ['', 'Waiting for it; q leaves.'] : [];
  const lines = [
    rail(),
    ...wrapTo(cleanLine(text), columns - 4).map((part) =>
      rail(span(part, connection.kind === 'away' ? 'attention' : 'plain')),
    ),
    ...advice.map((part) => rail(span(part, 'quiet'))),
  ];
  return [...lines, ...Array.from({ length: Math.max(0, rows - 1 - lines.length) }, () => rail())];
}

/** The worst troubles, and how many there are besides. */
export function alertLines(state: StateSnapshot, now: number, { columns, rows }: Size): readonly Line[] {
  const alerts = alertsOf(state, now);
  const most = rows < SHORT ? 1 : rows < TALL ? 2 : 4;
  const shown = alerts.slice(0, alerts.length > most ? most - 1 : most);
  const perAlert = rows >= TALL ? 2 : 1;
  const lines = shown.flatMap(({ text, tone }) =>
    wrapTo(text, Math.max(10, columns - 6))
      .slice(0, perAlert)
      .map((part, index) => rail(span(`${index === 0 ? '! ' : '  '}${part}`, tone))),
  );
  const more = alerts.length - shown.length;
  return more === 0
    ? lines
    : [...lines, rail(span(`! ${more} more troubles; the page lists them all`, 'attention'))];
}

/** What a worker in this terminal said last. */
export function logLines(log: readonly string[], { columns, rows }: Size): readonly Line[] {
  const shown = log.slice(-(rows >= TALL ? 6 : rows >= 22 ? 3 : rows >= SHORT ? 1 : 0) || log.length);
  if (shown.length === 0 || rows < SHORT) return [];
  return [
    heading(span('Log', 'strong'), '', columns),
    ...shown.map((text) => rail(span(cleanCode(text), 'quiet'))),
  ];
}
