import type { AgentEvent } from '../../domain/agent-event.ts';
import { estimateCost, type PriceTable } from './prices.ts';
import type { Breakdown, TokenUsageReport } from './protocol.ts';

/** What the session has used so far, over its thread and those of its sub-agents. */
export interface UsageMeter {
  /** `current` tells whether the report belongs to a turn of this session. Null when it changes nothing. */
  accept(report: TokenUsageReport, current: boolean, model: string): AgentEvent | null;
}

const NONE: Breakdown = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
const MAX_THREADS = 500;

/**
 * Totals of a thread count from the thread's own beginning and are announced again when it is resumed, so what was used
 * before this session is subtracted. A total that shrinks (Codex overwrites it when the context overflows) is left out.
 */
export function createUsageMeter(prices: PriceTable): UsageMeter {
  const threads = new Map<string, { readonly base: Breakdown; total: Breakdown }>();
  let costUsd: number | null = null;
  let last = NONE;

  return {
    accept({ threadId, tokenUsage }, current, model) {
      const known = threads.get(threadId);
      if (known === undefined) {
        if (threads.size >= MAX_THREADS) return null;
        const base = current
          ? combine(tokenUsage.total, tokenUsage.last, (a, b) => Math.max(0, a - b))
          : tokenUsage.total;
        threads.set(threadId, { base, total: combine(base, tokenUsage.total, Math.max) });
      } else {
        known.total = combine(known.total, tokenUsage.total, Math.max);
      }
      let used = NONE;
      for (const { base, total } of threads.values()) {
        used = combine(
          used,
          combine(total, base, (a, b) => a - b),
          (a, b) => a + b,
        );
      }
      const more = combine(used, last, (a, b) => a - b);
      if (more.inputTokens === 0 && more.outputTokens === 0) return null;
      last = used;
      // Each step is priced by the model that took it; an unknown price leaves the estimate at what is known.
      const cost = estimateCost(prices, model, more);
      if (cost !== null) costUsd = (costUsd ?? 0) + cost;
      const { inputTokens, outputTokens } = used;
      return {
        type: 'usage',
        usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
        costUsd,
      };
    },
  };
}

function combine(a: Breakdown, b: Breakdown, by: (a: number, b: number) => number): Breakdown {
  return {
    inputTokens: by(a.inputTokens, b.inputTokens),
    cachedInputTokens: by(a.cachedInputTokens, b.cachedInputTokens),
    outputTokens: by(a.outputTokens, b.outputTokens),
  };
}

const MAIN_LIMIT = 'codex';

/**
 * Merges rolling updates: what an update leaves out or sets to null stays as it was. The account's main limit is at the
 * top, others are under their id. Answers null when nothing changed.
 */
export function mergeRateLimits(): (update: Readonly<Record<string, unknown>>) => AgentEvent | null {
  let merged: Readonly<Record<string, unknown>> = {};
  return (update) => {
    const limitId = typeof update['limitId'] === 'string' ? update['limitId'] : MAIN_LIMIT;
    const fresh = snakeKeys(update);
    const next =
      limitId === MAIN_LIMIT ? merge(merged, fresh) : merge(merged, { [limitId.slice(0, 60)]: fresh });
    if (JSON.stringify(next) === JSON.stringify(merged)) return null;
    merged = next;
    return { type: 'rate_limits', rateLimits: merged };
  };
}

type Fields = Readonly<Record<string, unknown>>;

function merge(before: Fields, update: Fields): Fields {
  const result: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(update)) {
    if (value === null || value === undefined) continue;
    const old = result[key];
    result[key] =
      isFields(old) && isFields(value) ? merge(old, value) : isFields(value) ? merge({}, value) : value;
  }
  return result;
}

function snakeKeys(value: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isFields(inner) ? snakeKeys(inner) : inner,
    ]),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
