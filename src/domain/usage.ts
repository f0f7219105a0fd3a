/** Absolute token counters of one agent session, or a sum of several. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export const ZERO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** More than any session uses; sums of thousands of them are still whole numbers. */
const MAX_TOKENS = 1e12;
const MAX_DOLLARS = 1e6;

/** What an agent reports, as counts can be: whole, not below nothing, bounded. An agent may write any number. */
export function soundUsage(reported: TokenUsage): TokenUsage {
  return {
    inputTokens: soundCount(reported.inputTokens),
    outputTokens: soundCount(reported.outputTokens),
    totalTokens: soundCount(reported.totalTokens),
  };
}

export function soundCost(reported: number | null): number | null {
  return reported === null || !(reported >= 0) ? null : Math.min(reported, MAX_DOLLARS);
}

function soundCount(count: number): number {
  return count >= 0 ? Math.min(Math.floor(count), MAX_TOKENS) : 0;
}

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}

/** Absolute counters only grow: a report lower than the last one never takes tokens back. */
export function growUsage(last: TokenUsage, reported: TokenUsage): TokenUsage {
  return {
    inputTokens: Math.max(last.inputTokens, reported.inputTokens),
    outputTokens: Math.max(last.outputTokens, reported.outputTokens),
    totalTokens: Math.max(last.totalTokens, reported.totalTokens),
  };
}

export function subtractUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    totalTokens: a.totalTokens - b.totalTokens,
  };
}
