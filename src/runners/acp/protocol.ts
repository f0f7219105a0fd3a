import { z } from 'zod';

/*
 * What is read of the agent's messages. The SDK's types say what an agent should send; it does not check answers, and what
 * agents do send is read as far as it goes.
 */

const supported = z.unknown().transform((value) => value !== undefined && value !== null && value !== false);

export const initializedSchema = z.object({
  protocolVersion: z.number(),
  agentInfo: z.object({ name: z.string(), version: z.string() }).nullish().catch(null),
  authMethods: z.array(z.object({ name: z.string() })).catch([]),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false),
      mcpCapabilities: z.object({ http: z.boolean().catch(false) }).catch({ http: false }),
      sessionCapabilities: z.object({ resume: supported }).catch({ resume: false }),
    })
    .catch({ loadSession: false, mcpCapabilities: { http: false }, sessionCapabilities: { resume: false } }),
});
export type Initialized = z.infer<typeof initializedSchema>;

const modelOption = z.object({ category: z.literal('model'), currentValue: z.string() });

/** The answer to each request that opens a session; only a new one is named in it. */
export const openedSchema = z
  .object({
    sessionId: z.string().min(1).nullish().catch(null),
    configOptions: z.array(z.unknown()).nullish().catch(null),
    models: z.object({ currentModelId: z.string() }).nullish().catch(null),
  })
  .transform(({ sessionId, configOptions, models }) => {
    const chosen = configOptions?.map((option) => modelOption.safeParse(option).data?.currentValue);
    const model = chosen?.find((value) => value !== undefined) ?? models?.currentModelId ?? null;
    return { sessionId: sessionId ?? null, model: model?.slice(0, 200) ?? null };
  });

const count = z.number().nonnegative().catch(0);
const optionalCount = count.nullish().transform((value) => value ?? 0);

export const promptedSchema = z.object({
  stopReason: z.string(),
  usage: z
    .object({
      inputTokens: count,
      outputTokens: count,
      totalTokens: count,
      cachedReadTokens: optionalCount,
      cachedWriteTokens: optionalCount,
    })
    .nullish()
    .catch(null),
  /** Where Gemini tells it. */
  _meta: z
    .object({ quota: z.object({ token_count: z.object({ input_tokens: count, output_tokens: count }) }) })
    .nullish()
    .catch(null),
});
export type Prompted = z.infer<typeof promptedSchema>;

export const updateSchema = z.object({
  sessionId: z.string().nullish().catch(null),
  update: z.looseObject({ sessionUpdate: z.string() }),
});
export type Update = z.infer<typeof updateSchema>['update'];

const text = z.string().nullish().catch(null);
const diff = z.object({ type: z.literal('diff'), path: z.string(), newText: z.string() });

export const toolCallSchema = z.object({
  toolCallId: z.string().catch(''),
  title: text,
  name: text,
  kind: text,
  status: text,
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  /** The changes of files it would make; other content is for the eye. */
  content: z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((items) => (items ?? []).flatMap((item) => diff.safeParse(item).data ?? [])),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const permissionSchema = z.object({
  toolCall: toolCallSchema,
  options: z.array(z.object({ optionId: z.string(), kind: z.string() })),
});

export const costSchema = z.object({ amount: z.number().nonnegative(), currency: z.literal('USD') });
