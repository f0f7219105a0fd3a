const NAMED: Readonly<Record<string, number>> = {
  urgent: 1,
  critical: 1,
  highest: 1,
  high: 2,
  medium: 3,
  normal: 3,
  low: 4,
  lowest: 4,
};
const PRIORITY = /^(?:(?:priority|prio)\s*[:/_-]?\s*(?<word>[a-z]+|p?\d)|p(?<digit>\d))$/;

/** `priority: high`, `prio/2`, `P1` …: 1 is the most urgent, 4 the least. The most urgent label wins; null without any. */
export function priorityOf(labels: readonly string[]): number | null {
  const ranks = labels.flatMap((label) => rankOf(label.trim().toLowerCase()) ?? []);
  return ranks.length === 0 ? null : Math.min(...ranks);
}

function rankOf(label: string): number | null {
  const { word, digit } = PRIORITY.exec(label)?.groups ?? {};
  const text = digit ?? word?.replace(/^p(?=\d$)/, '');
  if (text === undefined) return null;
  if (!/^\d$/.test(text)) return Object.hasOwn(NAMED, text) ? (NAMED[text] ?? null) : null;
  return Math.max(1, Number(text));
}
