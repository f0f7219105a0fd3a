import { plainLine } from '../terminal/text-width.ts';

/** One line of text from an agent or tracker that cannot steer the terminal, cut to `longest` characters. */
export function oneLine(text: string, longest = 300): string {
  const plain = plainLine(text);
  const characters = [...plain];
  return characters.length <= longest ? plain : `${characters.slice(0, longest - 1).join('')}…`;
}

/** `45s`, `1m 30s`, `2h 05m` */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

/** `1,234,567` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `$0.12`, with more places for a fraction of a cent; `-` when the agent did not say. */
export function formatCost(costUsd: number | null): string {
  if (costUsd === null) return '-';
  return `$${costUsd.toFixed(costUsd > 0 && costUsd < 0.01 ? 4 : 2)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
