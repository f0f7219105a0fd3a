/** What agents have used up, in every unit a budget can be written in. */
export interface Spend {
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number;
  readonly runtimeMs: number;
}

export const ZERO_SPEND: Spend = { turns: 0, tokens: 0, usd: 0, runtimeMs: 0 };

export function addSpend(a: Spend, b: Spend): Spend {
  return {
    turns: a.turns + b.turns,
    tokens: a.tokens + b.tokens,
    usd: a.usd + b.usd,
    runtimeMs: a.runtimeMs + b.runtimeMs,
  };
}

export type BudgetScope = 'run' | 'issue' | 'day' | 'worker';
