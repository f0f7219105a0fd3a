import { z } from 'zod';

export const PROTOCOL_VERSION = 1;

export const initializedSchema = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false),
      mcpCapabilities: z.object({ http: z.boolean().catch(false) }).catch({ http: false }),
    })
    .catch({ loadSession: false, mcpCapabilities: { http: false } }),
});
export type Initialized = z.infer<typeof initializedSchema>;

export const sessionOpenedSchema = z.object({ sessionId: z.string().min(1) });

const count = z.number().nonnegative().catch(0);
export const promptedSchema = z.object({
  stopReason: z.string(),
  /** Of the whole session, where the agent tells it. */
  usage: z.object({ inputTokens: count, outputTokens: count, totalTokens: count }).nullish().catch(null),
});

export const updateSchema = z.object({
  update: z.looseObject({ sessionUpdate: z.string() }),
});
export type Update = z.infer<typeof updateSchema>['update'];

export const permissionSchema = z.object({
  toolCall: z.looseObject({ title: z.string().nullish(), rawInput: z.unknown().optional() }),
  options: z.array(z.object({ optionId: z.string(), kind: z.string() })),
});
