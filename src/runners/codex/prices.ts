import type { ModelPrice } from './settings.ts';

/** Cached input is part of the input. */
export interface UsedTokens {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

export type PriceTable = Readonly<Record<string, ModelPrice>>;

/** An estimate; null for a model without a price, because a wrong amount would feed the budgets. */
export function estimateCost(prices: PriceTable, model: string, used: UsedTokens): number | null {
  const known = Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (known === undefined) return null;
  const cached = Math.min(used.cachedInputTokens, used.inputTokens);
  const millionths =
    (used.inputTokens - cached) * known.input + cached * known.cachedInput + used.outputTokens * known.output;
  return millionths / 1_000_000;
}
