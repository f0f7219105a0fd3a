/** Absolute token counters of one agent session, or a sum of several. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export const ZERO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

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
