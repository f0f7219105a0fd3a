import type { AgentEvent } from '../../domain/agent-event.ts';
import { addUsage, growUsage, type TokenUsage, ZERO_USAGE } from '../../domain/usage.ts';
import type { ModelUsage, ResultMessage, Tokens } from './protocol.ts';

type UsageEvent = Extract<AgentEvent, { type: 'usage' }>;

export interface UsageMeter {
  /** A message of the turn that is running; several parts of it carry the same id. Null when nothing grew. */
  acceptMessage(id: string, tokens: Tokens): UsageEvent | null;
  /** The end of a turn, whose counts replace those of its messages. */
  acceptResult(result: ResultMessage): UsageEvent | null;
}

/**
 * Counts what this process has used. Claude's own totals go on from where a resumed conversation was, so only what a
 * result adds is taken; a version that does not say it has its first result of a resumed conversation counted without cost.
 */
export function createUsageMeter(resumed: boolean): UsageMeter {
  let settled = ZERO_USAGE;
  let reported = ZERO_USAGE;
  let costUsd: number | null = null;
  let lastTotal: number | null = resumed ? null : 0;
  const running = new Map<string, TokenUsage>();

  const report = (current: TokenUsage, before: number | null): UsageEvent | null => {
    const grown = growUsage(reported, current);
    if (grown.totalTokens === reported.totalTokens && costUsd === before) return null;
    reported = grown;
    return { type: 'usage', usage: reported, costUsd };
  };

  const costOf = ({
    total_cost_usd: total,
    model_usage_since_last_result: since,
  }: ResultMessage): number | null => {
    const previous = lastTotal;
    lastTotal = total ?? lastTotal;
    if (since !== undefined) return Object.values(since).reduce((sum, { costUSD }) => sum + costUSD, 0);
    return typeof total === 'number' && previous !== null ? Math.max(0, total - previous) : null;
  };

  return {
    acceptMessage(id, tokens) {
      running.set(id, growUsage(running.get(id) ?? ZERO_USAGE, ofTokens(tokens)));
      return report([...running.values()].reduce(addUsage, settled), costUsd);
    },
    acceptResult(result) {
      const before = costUsd;
      const cost = costOf(result);
      if (cost !== null) costUsd = (costUsd ?? 0) + cost;
      const { model_usage_since_last_result: since, usage } = result;
      settled = addUsage(settled, since === undefined ? ofTokens(usage) : ofModels(since));
      running.clear();
      return report(settled, before);
    },
  };
}

function ofTokens(tokens: Tokens | undefined): TokenUsage {
  if (tokens === undefined) return ZERO_USAGE;
  const inputTokens =
    tokens.input_tokens + tokens.cache_creation_input_tokens + tokens.cache_read_input_tokens;
  return { inputTokens, outputTokens: tokens.output_tokens, totalTokens: inputTokens + tokens.output_tokens };
}

function ofModels(models: ModelUsage): TokenUsage {
  return Object.values(models)
    .map(({ inputTokens, cacheCreationInputTokens, cacheReadInputTokens, outputTokens }) => {
      const input = inputTokens + cacheCreationInputTokens + cacheReadInputTokens;
      return { inputTokens: input, outputTokens, totalTokens: input + outputTokens };
    })
    .reduce(addUsage, ZERO_USAGE);
}
