import * as z from 'zod';
import { timestampSchema } from './wire.ts';

const MAX_TEXT_LENGTH = 20_000;

const issueShape = {
  /** The issue's id or identifier, in any case. */
  issue: z.string().trim().min(1).max(500),
};
const byShape = {
  /** Who asks, for the record. Default `api`. */
  by: z.string().trim().min(1).max(100).optional(),
};
const textShape = { text: z.string().trim().min(1).max(MAX_TEXT_LENGTH) };

/** What an operator can ask of the scheduler, and the body each takes. None of them touches the tracker. */
export const ACTION_BODIES = {
  /** No new run starts until `resume`. Runs under way go on. */
  pause: z.strictObject(byShape),
  resume: z.strictObject(byShape),
  /** Ends the live run of an issue; the issue is then held until `retry`. */
  stop: z.strictObject({ ...issueShape, ...byShape }),
  /** Ends a wait or a block: the next run starts as soon as a slot is free. */
  retry: z.strictObject({ ...issueShape, ...byShape, reset_budget: z.boolean().optional() }),
  /** `retry` with the issue's budgets counted from nothing again. */
  unblock: z.strictObject({ ...issueShape, ...byShape }),
  /** Answers the question an issue is blocked on. */
  answer: z.strictObject({ ...issueShape, ...textShape, ...byShape }),
  /** Says something to the running agent, where it can listen. */
  message: z.strictObject({ ...issueShape, ...textShape, ...byShape }),
  /** Has the worker push the issue's branch as its workspace has it; answered when the remote has answered. */
  push: z.strictObject({ ...issueShape, ...byShape }),
  /** Lets an issue that a person moved to a terminal state be dispatched again. */
  'clear-stop': z.strictObject({ ...issueShape, ...byShape }),
} as const;

export type ActionName = keyof typeof ACTION_BODIES;
export type ActionBody<Name extends ActionName> = z.infer<(typeof ACTION_BODIES)[Name]>;

export const ACTION_NAMES = Object.keys(ACTION_BODIES) as readonly ActionName[];

/** A request, checked: the body of any action, with what an action lacks as null. */
export interface ActionRequest {
  readonly action: ActionName;
  readonly issue: string | null;
  readonly text: string | null;
  readonly resetBudget: boolean;
  readonly by: string;
}

export const actionResultSchema = z.object({
  action: z.enum(ACTION_NAMES as readonly [ActionName, ...ActionName[]]),
  issue_id: z.string().nullable(),
  issue_identifier: z.string().nullable(),
  /** False when everything was already as asked. */
  changed: z.boolean(),
  /** What happened, for people. */
  message: z.string(),
  by: z.string(),
  requested_at: timestampSchema,
});
export type ActionResult = z.infer<typeof actionResultSchema>;

/** The record of who asked for what, newest first. */
export const actionLogSchema = z.object({
  actions: z.array(
    z.object({
      id: z.string(),
      at: timestampSchema,
      by: z.string(),
      action: z.string(),
      issue_id: z.string().nullable(),
      detail: z.string().nullable(),
    }),
  ),
});
export type ActionLog = z.infer<typeof actionLogSchema>;
