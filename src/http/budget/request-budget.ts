/** What is left of a token's allowance at one server. */
export interface RequestBudget {
  read(): BudgetReading;
}

/** Instants are epoch milliseconds; null means the server has not said. */
export interface BudgetReading {
  readonly remaining: number | null;
  readonly limit: number | null;
  readonly resetAt: number | null;
  /** Sent since the worker started, answers without a body included. */
  readonly requests: number;
  readonly notModified: number;
  /** Set while nothing is sent because the server asked for silence. */
  readonly pausedUntil: number | null;
  /** Set while polls are put off, because of a pause or to make the allowance last until its reset. */
  readonly slowedUntil: number | null;
  /** Every allowance of the token; the scarcest one is what `remaining`, `limit` and `resetAt` tell of. */
  readonly allowances: readonly Allowance[];
}

/** One thing a token may use up, e.g. `core` and `graphql`, or `requests` and `complexity`. */
export interface Allowance {
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}
