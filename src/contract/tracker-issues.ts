import * as z from 'zod';
import { countSchema, timestampSchema } from './wire.ts';

/**
 * Issues that people write through the worker, where its tracker has no page of its own (`tracker.editable` in the state).
 */

const MAX_TITLE_LENGTH = 500;
const MAX_STATE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 200_000;
const MAX_LABELS = 50;
const MAX_LABEL_LENGTH = 100;
const MAX_PRIORITY = 999_999_999;

const cardShape = {
  id: z.string().min(1),
  identifier: z.string().min(1),
  title: z.string(),
  state: z.string(),
  priority: z.int().nullable(),
  labels: z.array(z.string()),
  assignee: z.string().nullable(),
  updated_at: timestampSchema.nullable(),
  /** Comments it has. */
  comments: countSchema,
  /** Why no agent would take it even in an active state, such as another issue that comes first; null when nothing is. */
  held_by: z.string().nullable(),
};

/** An issue as one card among others. */
export const issueCardSchema = z.object(cardShape);
export type IssueCard = z.infer<typeof issueCardSchema>;

/** An issue with its text. */
export const trackerIssueSchema = z.object({
  ...cardShape,
  description: z.string(),
  /** Of exactly this text; a change names the one it was made on. Null when a secret was taken out of it: then it is not for writing. */
  version: z.string().nullable(),
});
export type TrackerIssue = z.infer<typeof trackerIssueSchema>;

/** `GET /api/v1/tracker/issues` */
export const trackerBoardSchema = z.object({
  /** Every state there is, in the order of the work. `active`: agents take it; `waiting`: for people; `finished`. */
  states: z.array(z.object({ name: z.string(), kind: z.enum(['active', 'waiting', 'finished']) })),
  /** Within a state the most urgent first. */
  issues: z.array(issueCardSchema),
  /** How many more there are. */
  left_out: countSchema,
  /** What looks like an issue and cannot be read as one. */
  broken: z.array(z.object({ name: z.string(), problem: z.string() })),
});
export type TrackerBoard = z.infer<typeof trackerBoardSchema>;

const title = z.string().trim().min(1).max(MAX_TITLE_LENGTH);
const state = z.string().trim().min(1).max(MAX_STATE_LENGTH);
const priority = z.int().min(0).max(MAX_PRIORITY).nullable();
const labels = z.array(z.string().trim().min(1).max(MAX_LABEL_LENGTH)).max(MAX_LABELS);
const description = z
  .string()
  .max(MAX_DESCRIPTION_LENGTH)
  .refine((text) => !text.includes('\0'), 'holds a NUL byte, so it is no text');

/** `POST /api/v1/tracker/issues` */
export const newIssueBodySchema = z.strictObject({
  title,
  /** Default: the first active state. */
  state: state.optional(),
  priority: priority.optional(),
  labels: labels.optional(),
  description: description.optional(),
});
export type NewIssueBody = z.infer<typeof newIssueBodySchema>;

/** `POST /api/v1/tracker/issues/<issue>`: what is left out stays as it is. */
export const issueChangeBodySchema = z.strictObject({
  /** The `version` that was read. */
  version: z.string().min(1).max(200),
  title: title.optional(),
  state: state.optional(),
  priority: priority.optional(),
  labels: labels.optional(),
  description: description.optional(),
});
export type IssueChangeBody = z.infer<typeof issueChangeBodySchema>;

/** `POST /api/v1/tracker/issues/<issue>/move`: nothing but the state changes, so nothing but the state is compared. */
export const issueMoveBodySchema = z.strictObject({
  /** The state it was seen in. */
  from: state,
  to: state,
});
export type IssueMoveBody = z.infer<typeof issueMoveBodySchema>;
