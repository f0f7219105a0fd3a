import { z } from 'zod';

/** Tried with Claude Code 2.1.325. Everything is read leniently, because these messages are not documented. */
const count = z.number().nonnegative().catch(0);

export const tokensSchema = z.object({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});
export type Tokens = z.infer<typeof tokensSchema>;

const modelUsageSchema = z.record(
  z.string(),
  z.object({
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: count,
    cacheCreationInputTokens: count,
    costUSD: count,
  }),
);
export type ModelUsage = z.infer<typeof modelUsageSchema>;

export const resultSchema = z.object({
  subtype: z.string(),
  is_error: z.boolean().catch(false),
  result: z.string().optional().catch(undefined),
  errors: z.array(z.string()).optional().catch(undefined),
  api_error_status: z.number().nullish().catch(null),
  terminal_reason: z.string().nullish().catch(null),
  total_cost_usd: z.number().nonnegative().nullish().catch(null),
  usage: tokensSchema.optional().catch(undefined),
  /** What was used since the last result, subagents included; older versions do not say. */
  model_usage_since_last_result: modelUsageSchema.optional().catch(undefined),
});
export type ResultMessage = z.infer<typeof resultSchema>;

export const assistantSchema = z.object({
  message: z.object({
    id: z.string(),
    content: z.array(z.looseObject({ type: z.string() })).catch([]),
    usage: tokensSchema.optional().catch(undefined),
  }),
  error: z.string().nullish().catch(null),
  is_api_error_message: z.boolean().optional().catch(undefined),
});
export type ContentBlock = z.infer<typeof assistantSchema>['message']['content'][number];

/** The user's side of the conversation: where the answers of tools come. */
export const userSchema = z.object({
  message: z.object({ content: z.array(z.looseObject({ type: z.string() })).catch([]) }),
});

export const initSchema = z.object({ session_id: z.string(), model: z.string() });
export const retrySchema = z.object({
  attempt: z.number(),
  max_retries: z.number().optional().catch(undefined),
  retry_delay_ms: z.number().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
});
export type Retry = z.infer<typeof retrySchema>;
export const rateLimitSchema = z.object({
  rate_limit_info: z.looseObject({
    status: z.string().optional(),
    /** Seconds since the epoch. */
    resetsAt: z.number().optional(),
  }),
});

/** What became of a message: `queued`, `started`, `completed` or `cancelled`. */
export const lifecycleSchema = z.object({ command_uuid: z.string(), state: z.string() });

export const controlRequestSchema = z.object({
  request_id: z.string(),
  request: z.looseObject({ subtype: z.string() }),
});
export const controlResponseSchema = z.object({
  response: z.object({
    subtype: z.string(),
    request_id: z.string(),
    error: z.string().optional(),
  }),
});
export const permissionSchema = z.object({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()).catch({}),
});
export const questionsSchema = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      options: z.array(z.object({ label: z.string() })).optional(),
    }),
  ),
});
