import type { Tokens } from '../contract/wire.ts';
import type { TokenUsage } from '../domain/usage.ts';

export function utc(ms: number): string {
  return new Date(ms).toISOString();
}

export function seconds(ms: number): number {
  return Math.max(0, Math.round(ms) / 1000);
}

export function tokens(usage: TokenUsage): Tokens {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
  };
}
