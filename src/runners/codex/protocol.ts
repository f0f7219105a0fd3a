import { z } from 'zod';
import type { ThreadItem, Version } from './generated/protocol.d.ts';

/** The Codex release whose schema (`schema/codex/`) the generated types are of, and these shapes follow. */
export const CODEX_VERSION: Version = '0.166.0';

/** Request ids of the server start at 0 and may be texts; they are a space of their own. */
export type RequestId = number | string;

/** Only what is read, so that a newer server with more fields still fits. */
const id = z.string().min(1);
const count = z.number().min(0);

export const initializedSchema = z.object({ userAgent: z.string() });

/** Answers of `thread/start` and `thread/resume`. */
export const threadOpenedSchema = z.object({
  thread: z.object({ id }),
  model: z.string(),
  sandbox: z.looseObject({ type: z.string() }).nullish(),
});
export type ThreadOpened = z.infer<typeof threadOpenedSchema>;

export const turnBegunSchema = z.object({ turn: z.object({ id }) });

const turnErrorSchema = z.object({
  message: z.string(),
  codexErrorInfo: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  additionalDetails: z.string().nullish(),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

const turnEndSchema = z.object({ id, status: z.string(), error: turnErrorSchema.nullish() });
export type TurnEnd = z.infer<typeof turnEndSchema>;

export const turnStartedSchema = z.object({ threadId: id, turn: z.object({ id }) });
export const turnCompletedSchema = z.object({ threadId: id, turn: turnEndSchema });
export const turnsListedSchema = z.object({ data: z.array(turnEndSchema) });
export const errorSchema = z.object({ error: turnErrorSchema, willRetry: z.boolean(), threadId: id });
export const threadStatusSchema = z.object({ threadId: id, status: z.object({ type: z.string() }) });

/** Names that other versions and providers have for the counters of this one. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  input_tokens: 'inputTokens',
  prompt_tokens: 'inputTokens',
  cached_input_tokens: 'cachedInputTokens',
  output_tokens: 'outputTokens',
  completion_tokens: 'outputTokens',
};

function withOwnNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const renamed = Object.entries(value).map(([name, counted]) => [COMMON_NAMES[name] ?? name, counted]);
  return { ...Object.fromEntries(renamed), ...value };
}

const breakdownSchema = z.preprocess(
  withOwnNames,
  z.object({ inputTokens: count, cachedInputTokens: count.default(0), outputTokens: count }),
);
export type Breakdown = z.infer<typeof breakdownSchema>;

export const tokenUsageSchema = z.object({
  threadId: id,
  turnId: z.string(),
  tokenUsage: z.object({ total: breakdownSchema, last: breakdownSchema }),
});
export type TokenUsageReport = z.infer<typeof tokenUsageSchema>;

export const rateLimitsSchema = z.object({ rateLimits: z.record(z.string(), z.unknown()) });
export const reroutedSchema = z.object({ threadId: id, toModel: z.string().min(1) });
export const noteSchema = z.object({ message: z.string().optional(), summary: z.string().optional() });

export const itemSchema = z.object({
  threadId: id,
  item: z.looseObject({ type: z.string(), id: z.string() }),
});
type FieldOf<Kind> = Kind extends unknown ? keyof Kind : never;
/** An item of a kind that may be unknown, with the fields that some kinds have. */
export type Item = Readonly<{ type: string; id: string } & { [F in FieldOf<ThreadItem>]?: unknown }>;

export const planSchema = z.object({
  threadId: id,
  plan: z.array(z.object({ step: z.string(), status: z.string() })),
});

export const toolCallSchema = z.object({ tool: z.string(), arguments: z.unknown() });

export const commandApprovalSchema = z.object({
  command: z.string().nullish(),
  cwd: z.string().nullish(),
  reason: z.string().nullish(),
  networkApprovalContext: z.looseObject({ host: z.string().optional() }).nullish(),
});
export const fileApprovalSchema = z.object({
  itemId: z.string(),
  reason: z.string().nullish(),
  grantRoot: z.string().nullish(),
});
export const permissionsApprovalSchema = z.object({
  reason: z.string().nullish(),
  permissions: z.record(z.string(), z.unknown()),
});
export const questionsSchema = z.object({
  questions: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      options: z.array(z.object({ label: z.string() })).nullish(),
    }),
  ),
});
export const elicitationSchema = z.object({ serverName: z.string(), message: z.string().optional() });
