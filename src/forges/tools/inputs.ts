import { z } from 'zod';
import { MAX_TEXT_BYTES } from '../../tools/text-inputs.ts';

// Checked here and not in the schema that the agent gets: models' services refuse patterns like these.
const LOGIN_OR_TEAM = /^[A-Za-z0-9][\w.-]{0,99}(?:\/[A-Za-z0-9][\w.-]{0,99})?$/;
const BRANCH = /^(?![-/])(?!refs\/)(?!.*(?:\.\.|@\{|\/\/))[^\s~^:?*[\\\p{Cc}]+(?<![/.])$/u;

const title = z
  .string()
  .trim()
  .min(1)
  .max(250)
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line of text');
const body = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES, 'must be at most 64 KiB')
  .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'must not hold control characters');
const reviewers = z
  .array(
    z
      .string()
      .trim()
      .max(200)
      .refine((name) => LOGIN_OR_TEAM.test(name), 'must be a login, or organisation/team'),
  )
  .min(1)
  .max(15)
  .describe('Logins of people to ask for a review; a team is written organisation/team.');
const base = z
  .string()
  .max(200)
  .refine((name) => BRANCH.test(name), 'must be the name of a branch, without refs/heads/');

/** No field names a repository, a branch to merge or a number: a tool acts on the branch of its run. */
export const OpenInput = z.strictObject({
  title: title.describe('One line that says what the change does.'),
  body: body
    .optional()
    .describe('Description in Markdown: what changed and why, how it was checked, "Closes #12".'),
  draft: z.boolean().optional().describe('True while it is not ready for review. Default false.'),
  reviewers: reviewers.optional(),
  base: base.optional().describe('Branch to merge into. Default: the default branch of the repository.'),
});
export const UpdateInput = z
  .strictObject({
    title: title.optional(),
    body: body.optional().describe('Replaces the whole description.'),
    draft: z.boolean().optional().describe('True makes it a draft, false marks it ready for review.'),
    reviewers: reviewers.optional(),
    state: z
      .enum(['open', 'closed'])
      .optional()
      .describe('"closed" closes it without merging, "open" reopens it.'),
  })
  .refine(
    (input) => Object.values(input).some((value) => value !== undefined),
    'must name at least one change',
  );
export const GetInput = z.strictObject({});
