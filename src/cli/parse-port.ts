import { InvalidArgumentError } from 'commander';

/** A port argument: 0 picks a free one, -1 means none. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^-?\d+$/.test(text) || port < -1 || port > 65_535) {
    throw new InvalidArgumentError('give a whole number from -1 to 65535.');
  }
  return port;
}
