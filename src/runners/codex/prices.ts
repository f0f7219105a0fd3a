/** Cached input is part of the input. */
export interface UsedTokens {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

export type PriceTable = Readonly<Record<string, ModelPrice>>;

const price = (input: number, cachedInput: number, output: number): ModelPrice => ({
  input,
  cachedInput,
  output,
});

/** List prices that were published; an entry in the workflow replaces or completes them. */
export const LIST_PRICES: PriceTable = {
  'codex-mini-latest': price(1.5, 0.375, 6),
  'gpt-4.1': price(2, 0.5, 8),
  'gpt-5': price(1.25, 0.125, 10),
  'gpt-5-codex': price(1.25, 0.125, 10),
  'gpt-5-mini': price(0.25, 0.025, 2),
  'gpt-5-nano': price(0.05, 0.005, 0.4),
  'gpt-5.1': price(1.25, 0.125, 10),
  'gpt-5.1-codex': price(1.25, 0.125, 10),
  'gpt-5.1-codex-mini': price(0.25, 0.025, 2),
  o3: price(2, 0.5, 8),
  'o4-mini': price(1.1, 0.275, 4.4),
};

/** An estimate; null for a model without a price, because a wrong amount would feed the budgets. */
export function estimateCost(prices: PriceTable, model: string, used: UsedTokens): number | null {
  const known = Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (known === undefined) return null;
  const cached = Math.min(used.cachedInputTokens, used.inputTokens);
  const millionths =
    (used.inputTokens - cached) * known.input + cached * known.cachedInput + used.outputTokens * known.output;
  return millionths / 1_000_000;
}
