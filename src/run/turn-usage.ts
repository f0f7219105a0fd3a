import type { AgentEvent } from '../domain/agent-event.ts';
import {
  growUsage,
  soundCost,
  soundUsage,
  subtractUsage,
  type TokenUsage,
  ZERO_USAGE,
} from '../domain/usage.ts';

/**
 * Passes events on; the end of a turn also says what the turn used, where the agent counts its tokens. What any agent
 * counts becomes sound here, once for all of them.
 */
export function withTurnUsage(emit: (event: AgentEvent) => void): (event: AgentEvent) => void {
  let total = ZERO_USAGE;
  let before = ZERO_USAGE;
  let cost: number | null = null;
  let costBefore = 0;
  return (told) => {
    const event =
      told.type === 'usage'
        ? { ...told, usage: soundUsage(told.usage), costUsd: soundCost(told.costUsd) }
        : told;
    if (event.type === 'usage') total = growUsage(total, event.usage);
    if (event.type === 'usage' && event.costUsd !== null) cost = Math.max(cost ?? 0, event.costUsd);
    if (event.type === 'turn_started') {
      before = total;
      costBefore = cost ?? 0;
    }
    emit(
      isTurnEnd(event)
        ? { ...event, ...usageOf(subtractUsage(total, before)), ...costOf(cost, costBefore) }
        : event,
    );
  };
}

function usageOf(usage: TokenUsage): { usage?: TokenUsage } {
  return usage.totalTokens === 0 ? {} : { usage };
}

function costOf(cost: number | null, before: number): { costUsd?: number } {
  return cost === null || cost <= before ? {} : { costUsd: cost - before };
}

type TurnEnd = Extract<AgentEvent, { readonly turn: number; readonly usage?: unknown }>;

function isTurnEnd(event: AgentEvent): event is TurnEnd {
  return (
    event.type === 'turn_completed' ||
    event.type === 'turn_failed' ||
    event.type === 'turn_cancelled' ||
    event.type === 'turn_input_required'
  );
}
