import * as z from 'zod';

/**
 * Building blocks of the wire format. Two rules hold in every message: keys are snake_case, and a key the SPEC
 * names is always present (null, '' or [] when there is nothing to say) while other keys may be left out.
 */

/** An instant in UTC as RFC 3339: `2026-07-01T09:30:00.000Z`. */
export const timestampSchema = z.iso.datetime({ offset: false });

/** Seconds, fractions allowed. */
export const secondsSchema = z.number().nonnegative();

/** US dollars. */
export const costSchema = z.number().nonnegative();

export const countSchema = z.int().nonnegative();

export const tokensSchema = z.object({
  input_tokens: countSchema,
  output_tokens: countSchema,
  total_tokens: countSchema,
});
export type Tokens = z.infer<typeof tokensSchema>;

/** How every row names its issue. `issue_url` is the tracker's page, null when the tracker has none. */
export const issueRefShape = {
  issue_id: z.string().min(1),
  issue_identifier: z.string(),
  issue_url: z.string().nullable(),
};

/** What a run left behind: one value per run. */
export const outcomeSchema = z.enum([
  'delivered',
  'progressed',
  'no_progress',
  'failed',
  'timed_out',
  'stalled',
  'canceled',
  'blocked',
]);
export type WireOutcome = z.infer<typeof outcomeSchema>;

/** The phases of a live run (SPEC §7.2). */
export const phaseSchema = z.enum([
  'PreparingWorkspace',
  'BuildingPrompt',
  'LaunchingAgentProcess',
  'InitializingSession',
  'StreamingTurn',
  'Finishing',
]);
export type WirePhase = z.infer<typeof phaseSchema>;

/** Which agent: of a row that runs or ran, the one it has; of any other, the one its next run would have. */
export const agentShape = {
  /** Its kind, such as `claude`. Left out when unknown. */
  agent_provider: z.string().optional(),
  /** The profile of the workflow it runs under; left out for the default. */
  agent_profile: z.string().optional(),
  /** What chose it, such as `label agent:claude`, and what is odd about that; left out when there is nothing to say. */
  agent_reason: z.string().optional(),
};
