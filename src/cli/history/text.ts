import { formatCost as moneyText, formatDuration as secondsText } from '../../contract/format.ts';
import { plainLine } from '../terminal/text-width.ts';

/** One line of text from an agent or tracker that cannot steer the terminal, cut to `longest` characters. */
export function oneLine(text: string, longest = 300): string {
  const plain = plainLine(text);
  const characters = [...plain];
  return characters.length <= longest ? plain : `${characters.slice(0, longest - 1).join('')}…`;
}

/** The same for several lines, each of which becomes a sentence. */
export function oneLineOfSentences(text: string, longest = 300): string {
  return oneLine(text.trim().replace(/([^\s.!?:;,…])[ \t]*\n\s*/g, '$1. '), longest);
}

/** `45s`, `1m 30s`, `2h 05m`, rounded to the second. */
export function formatDuration(ms: number): string {
  return secondsText(Math.round(ms / 1000));
}

/** `$0.12`; `-` when the agent did not say. */
export function formatCost(costUsd: number | null): string {
  return costUsd === null ? '-' : moneyText(costUsd);
}
