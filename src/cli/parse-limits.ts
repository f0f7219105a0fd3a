import { InvalidArgumentError } from 'commander';

const DURATION_UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
};

/** `30d`, `12h`: milliseconds. */
export function parseAge(text: string): number {
  const match = /^(\d+)([mhdw])$/.exec(text.trim());
  const unit = DURATION_UNITS[match?.[2] ?? ''];
  if (unit === undefined) throw new InvalidArgumentError('give a number with m, h, d or w, such as 30d.');
  return Number(match?.[1]) * unit;
}

/** `500M`, `5G`: bytes. */
export function parseSize(text: string): number {
  const match = /^(\d+)([kmgt]?)(?:i?b)?$/.exec(text.trim().toLowerCase());
  const unit = match === null ? undefined : SIZE_UNITS[match[2] ?? ''];
  if (unit === undefined) throw new InvalidArgumentError('give a number with K, M, G or T, such as 5G.');
  return Number(match?.[1]) * unit;
}
