import { z } from 'zod';
import type { AgentEvent } from '../../domain/agent-event.ts';
import type { RunEvent } from '../../domain/run-event.ts';
import type { TimelineEntry } from '../journal.ts';
import { anything, count, flag, numberOrNull, someUsage, textOrNull, usage } from './scalars.ts';

const text = z.string().default('');
const turnUsage = usage.optional();
const turnCost = z.number().optional().catch(undefined);
const someText = z.string().optional().catch(undefined);
const someNumber = z.number().optional().catch(undefined);

const call = z
  .looseObject({
    callId: someText,
    input: someText,
    output: someText,
    exitCode: someNumber,
    durationMs: someNumber,
    failed: z.boolean().optional().catch(undefined),
  })
  .optional()
  .catch(undefined);

const agentEvent: z.ZodType<AgentEvent> = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('session_started'),
    sessionId: text,
    pid: numberOrNull,
    model: textOrNull,
    resumed: flag,
  }),
  z.looseObject({ type: z.literal('startup_failed'), stage: text, message: text }),
  z.looseObject({ type: z.literal('turn_started'), turn: count, turnId: textOrNull }),
  z.looseObject({ type: z.literal('turn_completed'), turn: count, usage: turnUsage, costUsd: turnCost }),
  z.looseObject({
    type: z.literal('turn_failed'),
    turn: count,
    message: text,
    usage: turnUsage,
    costUsd: turnCost,
  }),
  z.looseObject({ type: z.literal('turn_cancelled'), turn: count, usage: turnUsage, costUsd: turnCost }),
  z.looseObject({
    type: z.literal('turn_input_required'),
    turn: count,
    method: text,
    question: text,
    usage: turnUsage,
    costUsd: turnCost,
  }),
  z.looseObject({
    type: z.literal('activity'),
    kind: z.enum(['message', 'command', 'file_change', 'plan', 'reasoning', 'tool']),
    text,
    call,
  }),
  z.looseObject({ type: z.literal('usage'), usage: someUsage, costUsd: numberOrNull }),
  z.looseObject({ type: z.literal('rate_limits'), rateLimits: anything }),
  z.looseObject({ type: z.literal('model_changed'), model: text }),
  z.looseObject({ type: z.literal('approval_auto_approved'), method: text }),
  z.looseObject({ type: z.literal('unsupported_tool_call'), tool: text }),
  z.looseObject({
    type: z.literal('tool_call'),
    tool: text,
    success: flag,
    message: text,
    input: someText,
    output: someText,
  }),
  z.looseObject({ type: z.literal('notification'), name: text }),
  z.looseObject({ type: z.literal('malformed'), bytes: count }),
]);

const runEvent: z.ZodType<RunEvent> = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('phase'),
    phase: z.enum([
      'PreparingWorkspace',
      'BuildingPrompt',
      'LaunchingAgentProcess',
      'InitializingSession',
      'StreamingTurn',
      'Finishing',
    ]),
    detail: textOrNull,
  }),
  z.looseObject({ type: z.literal('workspace'), path: text, branch: textOrNull, createdNow: flag }),
  z.looseObject({
    type: z.literal('push_failed'),
    code: text,
    message: text,
    remoteLines: z.array(z.string()).default([]),
  }),
  z.looseObject({ type: z.literal('prompt'), turn: count, text }),
  z.looseObject({
    type: z.literal('hook'),
    hook: text,
    command: text,
    exitCode: numberOrNull,
    durationMs: count,
    output: text,
    problem: textOrNull,
  }),
  z.looseObject({ type: z.literal('agent'), event: agentEvent }),
]);

/** One line of a transcript. */
export const timelineEntrySchema: z.ZodType<TimelineEntry> = z.looseObject({
  seq: z.number(),
  at: z.number(),
  event: runEvent,
});
