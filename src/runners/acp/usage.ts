import type { AgentEvent } from '../../domain/agent-event.ts';
import { addUsage, type TokenUsage, ZERO_USAGE } from '../../domain/usage.ts';
import { costSchema, type Prompted } from './protocol.ts';

type UsageEvent = Extract<AgentEvent, { type: 'usage' }>;

export interface UsageMeter {
  /** The cost in a `usage_update`. Its token counts are the fill of the context window and no use of tokens. */
  acceptCost(cost: unknown): UsageEvent | null;
  /** The end of a turn. */
  acceptTurn(answer: Prompted): UsageEvent | null;
}

/**
 * Counts what this process has used. Agents tell the tokens of each turn with its end, and the cost of the whole conversation
 * since it began; of a resumed one, what was spent before is known only from its first report.
 */
export function createUsageMeter(resumed: boolean): UsageMeter {
  let usage = ZERO_USAGE;
  let costUsd: number | null = null;
  let spentBefore = resumed ? null : 0;

  return {
    acceptCost(cost) {
      const amount = costSchema.safeParse(cost).data?.amount;
      if (amount === undefined) return null;
      spentBefore ??= amount;
      const spent = amount - spentBefore;
      if (spent <= (costUsd ?? 0)) return null;
      costUsd = spent;
      return { type: 'usage', usage, costUsd };
    },
    acceptTurn(answer) {
      const used = usedIn(answer);
      if (used === null || used.totalTokens === 0) return null;
      usage = addUsage(usage, used);
      return { type: 'usage', usage, costUsd };
    },
  };
}

/** Cached input counts as input, and whatever else the agent counts in its total as output. */
function usedIn({ usage, _meta }: Prompted): TokenUsage | null {
  if (usage) {
    const inputTokens = usage.inputTokens + usage.cachedReadTokens + usage.cachedWriteTokens;
    const outputTokens = Math.max(usage.outputTokens, usage.totalTokens - inputTokens);
    return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  }
  if (!_meta) return null;
  const { input_tokens: inputTokens, output_tokens: outputTokens } = _meta.quota.token_count;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}
