import type { Attributes } from '@opentelemetry/api';
import type { TokenUsage } from '../domain/usage.ts';
import type { EndedRun } from '../scheduler/core/commands.ts';
import type { LiveRun } from '../scheduler/core/state.ts';

/** Names from OpenTelemetry's conventions for generative AI where there are any, `aiops.*` for the rest. */
export function runStartAttributes({ agent: { runner, profile }, ...run }: LiveRun): Attributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': profile ?? runner,
    'aiops.agent.kind': runner,
    ...(profile === null ? {} : { 'aiops.agent.profile': profile }),
    'aiops.issue.id': run.issue.id,
    'aiops.issue.state_before': run.stateAtStart,
    ...(run.attempt === null ? {} : { 'aiops.run.attempt': run.attempt }),
    ...(run.retryKind === null ? {} : { 'aiops.run.retry_kind': run.retryKind }),
  };
}

export function runEndAttributes({ outcome, result, stateAfter, usage, ...run }: EndedRun): Attributes {
  return {
    'aiops.run.outcome': outcome.kind,
    'aiops.run.end': result.end.kind,
    'aiops.run.turns': result.turns,
    'aiops.run.handed_off': run.handedOff,
    'aiops.issue.state_after': stateAfter,
    ...usageAttributes(usage),
    ...(run.costUsd === null ? {} : { 'aiops.cost_usd': run.costUsd }),
    ...(run.model === null ? {} : { 'gen_ai.request.model': run.model }),
    ...(run.sessionId === null ? {} : { 'gen_ai.conversation.id': run.sessionId }),
  };
}

export function usageAttributes({ inputTokens, outputTokens, totalTokens }: TokenUsage): Attributes {
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'aiops.usage.total_tokens': totalTokens,
  };
}
