import type { ModelPrice } from './settings.ts';

const price = (input: number, cachedInput: number, output: number): ModelPrice => ({
  input,
  cachedInput,
  output,
});

/** What OpenAI asks for its models. An entry of `codex.prices` replaces or completes one of these. */
export const LIST_PRICES = {
  source: 'https://developers.openai.com/api/docs/pricing',
  asOf: '2026-11-15',
  /** US dollars per million tokens: input, cached input, output. */
  models: {
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
  },
} as const;
