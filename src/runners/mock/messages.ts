import { z } from 'zod';
import type { Issue } from '../../domain/issue.ts';
import { parseForeignJson } from '../../domain/nesting.ts';
import type { ToolResult } from '../../domain/tool.ts';
import type { TurnResult } from '../runner.ts';
import type { MockScript } from './script-schema.ts';

/** What the runner writes to the agent's stdin, one JSON object per line. */
export type RunnerMessage =
  | {
      readonly type: 'start';
      readonly issue: Pick<Issue, 'id' | 'identifier' | 'title'>;
      readonly script: MockScript;
      /** Names of the tools the agent may call. */
      readonly tools: readonly string[];
      /** The workflow's own checks. */
      readonly verify: readonly string[];
      readonly resumeSessionId: string | null;
    }
  | { readonly type: 'turn'; readonly turn: number; readonly prompt: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'tool_result'; readonly id: string; readonly result: ToolResult };

const count = z.int().min(0);

/** The events only the agent can know. The runner itself reports turns, tool calls and malformed lines. */
const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session_started'),
    sessionId: z.string().regex(/^mock-[A-Za-z0-9-]{1,100}$/),
    model: z.string().nullable(),
    resumed: z.boolean(),
  }),
  z.object({
    type: z.literal('activity'),
    kind: z.enum(['message', 'command', 'file_change', 'plan', 'reasoning', 'tool']),
    text: z.string(),
    call: z
      .object({
        callId: z.string().optional(),
        input: z.string().optional(),
        output: z.string().optional(),
        exitCode: z.int().optional(),
        durationMs: count.optional(),
        failed: z.boolean().optional(),
      })
      .optional(),
  }),
  z.object({
    type: z.literal('usage'),
    usage: z.object({ inputTokens: count, outputTokens: count, totalTokens: count }),
    costUsd: z.number().min(0).nullable(),
  }),
  z.object({ type: z.literal('rate_limits'), rateLimits: z.record(z.string(), z.unknown()) }),
]);

const turnResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed') }),
  z.object({ kind: z.literal('interrupted') }),
  z.object({ kind: z.literal('input_required'), method: z.string(), question: z.string() }),
  z.object({ kind: z.literal('quota'), message: z.string(), resetAt: z.number().nullable() }),
  z.object({ kind: z.literal('failed'), code: z.literal('turn_failed'), message: z.string() }),
]) satisfies z.ZodType<TurnResult>;

/** What the agent writes to its stdout, one JSON object per line. */
const agentMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), event: eventSchema }),
  z.object({
    type: z.literal('tool_call'),
    id: z.string().min(1).max(100),
    name: z.string().min(1).max(200),
    arguments: z.unknown(),
  }),
  z.object({ type: z.literal('turn_result'), turn: count, result: turnResultSchema }),
]);

export type AgentMessage = z.infer<typeof agentMessageSchema>;
export type ReportedEvent = z.infer<typeof eventSchema>;
export type ReportedTurnResult = z.infer<typeof turnResultSchema>;

/** Null for anything that is not a message of the agent's vocabulary. */
export function decodeAgentMessage(line: string): AgentMessage | null {
  let value: unknown;
  try {
    value = parseForeignJson(line);
  } catch {
    return null;
  }
  const result = agentMessageSchema.safeParse(value);
  return result.success ? result.data : null;
}
