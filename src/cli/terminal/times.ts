import type { Look } from './look.ts';

type Zone = Pick<Look, 'utc'>;

/** `2026-11-14 09:01:30`, local or UTC as the look has it. */
export function formatTime(instant: number, zone: Zone): string {
  return written(instant, zone).slice(0, 19);
}

/** `09:01:30` */
export function formatClock(instant: number, zone: Zone): string {
  return written(instant, zone).slice(11, 19);
}

/** A heading over times, which says when they are not those of the clock on the wall. */
export function timeHeading(name: string, { utc }: Zone): string {
  return utc ? `${name} (UTC)` : name;
}

/** `2026-11-14 09:01:30`, with the zone where it is not the reader's own. */
export function formatInstant(instant: number, zone: Zone): string {
  return `${formatTime(instant, zone)}${zone.utc ? ' UTC' : ''}`;
}

/** `09:01:30`, with the zone where it is not the reader's own. */
export function formatMoment(instant: number, zone: Zone): string {
  return `${formatClock(instant, zone)}${zone.utc ? ' UTC' : ''}`;
}

function written(instant: number, { utc }: Zone): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '????-??-?? ??:??:??';
  if (utc) return date.toISOString().replace('T', ' ');
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
