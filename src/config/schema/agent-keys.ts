import { formatDuration } from '../read/duration.ts';
import {
  elsewhere,
  filledText,
  optional,
  type Place,
  positive,
  text,
  wholeNumber,
  withDefault,
} from './key.ts';
import { hasOpenQuote } from './shell-words.ts';

/** Keys that the blocks of several agents have. */

export const turnTimeout = withDefault(positive, 3_600_000, 'Longest silence of the agent within a turn.');

export const stallTimeout = withDefault(
  wholeNumber,
  300_000,
  'A run without any event for this long is stopped and retried; 0 or less turns this off.',
  { applies: 'next poll', read: readStallTimeout },
);

function readStallTimeout(written: number, { at, key }: Place): number {
  if (written < 0) at.warn(key, `${key} is below 0, which means off`, 'Write 0.');
  return Math.max(0, written);
}

/** A shell command, or the variable that holds it. */
export function commandWithDefault(usual: string, description: string) {
  return withDefault(filledText, usual, description, { read: readCommand });
}

export function readCommand(written: string, { at, key }: Place): string {
  const command = at.expand(key, written) ?? '';
  if (hasOpenQuote(command)) at.problem(key, `${key} has a quote that is never closed`, 'Close it.');
  return command;
}

/** A cap on a whole run: milliseconds among the settings, a duration when it is written or printed. */
export const timeoutKey = (description: string, defaultText: string) =>
  elsewhere(
    optional(text, description, {
      defaultText,
      show: (_, { timeoutMs }) => formatDuration(Number(timeoutMs)),
    }),
  );
