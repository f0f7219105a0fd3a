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

/**
 * What an operator can ask of the scheduler: the body each action takes, and its one description, which the API and the
 * command line share. None of them touches the tracker. What an action does is decided in
 * `scheduler/phases/operator-actions.ts`.
 */
export const ACTION_BODIES = {
  pause: z.strictObject(byShape).describe('start no new runs until `aiops resume`; runs under way go on'),
  resume: z.strictObject(byShape).describe('start runs again'),
  stop: z
    .strictObject({ ...issueShape, ...byShape })
    .describe('stop the run of an issue; the issue is then held until `aiops retry`'),
  retry: z
    .strictObject({ ...issueShape, ...byShape, reset_budget: z.boolean().optional() })
    .describe('end a wait or a block: run the issue as soon as a slot is free'),
  unblock: z
    .strictObject({ ...issueShape, ...byShape })
    .describe('like retry, with the budgets of the issue counted from nothing again'),
  answer: z
    .strictObject({ ...issueShape, ...textShape, ...byShape })
    .describe('answer the question an issue is blocked on'),
  message: z
    .strictObject({ ...issueShape, ...textShape, ...byShape })
    .describe('say something to the running agent, where it can listen'),
  push: z
    .strictObject({ ...issueShape, ...byShape })
    .describe('push the branch of an issue as its workspace has it, and say what the remote answers'),
  'clear-stop': z
    .strictObject({ ...issueShape, ...byShape })
    .describe('let an issue run again that a person had closed under a live run'),
} as const;

export type ActionName = keyof typeof ACTION_BODIES;
export type ActionBody<Name extends ActionName> = z.infer<(typeof ACTION_BODIES)[Name]>;

export const ACTION_NAMES = Object.keys(ACTION_BODIES) as readonly ActionName[];

/** An action as it goes from the API to the scheduler. `issue` is what the operator wrote, then the id that was found for it. */
export type OperatorAction = {
  [Name in ActionName]: { readonly kind: Name; readonly by: string } & Readonly<Omit<ActionBody<Name>, 'by'>>;
}[ActionName];

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
