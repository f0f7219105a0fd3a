import { z } from 'zod';
import type { ToolEffect } from '../../../domain/tool.ts';
import type { LabelStates } from '../states/label-states.ts';
import { isGuarded } from './rest-policy.ts';

/** Bodies an agent may send; a field that is not listed is refused. */

const longText = z.string().max(256 * 1024);
const title = z
  .string()
  .max(1_000)
  .refine((text) => text.trim() !== '', 'must not be blank');
/** A branch of the repository itself: `owner:branch` would name a fork. */
const branch = z.string().regex(/^[\w][\w./+@-]{0,250}$/, 'must be a branch of this repository');
const names = z.array(z.string().min(1).max(200)).min(1).max(20);

export const CommentBody = z.strictObject({
  body: longText.refine((text) => text.trim() !== '', 'must not be blank'),
});
/** Texts of an issue or a pull request. */
export const IssueTextBody = z
  .strictObject({ title: title.optional(), body: longText.optional() })
  .refine((body) => Object.keys(body).length > 0, 'must change the title or the body');
/** Gitea has no drafts: a title that starts with `WIP:` makes one. */
export const PlainPullRequestBody = z.strictObject({
  title,
  head: branch,
  base: branch,
  body: longText.optional(),
});
export const PullRequestBody = PlainPullRequestBody.extend({ draft: z.boolean().optional() });
export const ReviewersBody = z.strictObject({ reviewers: names });

/** Labels that are not states, which change only through the tool that guards them, and vouch for nothing. */
export function labelsBody(states: LabelStates, vouching: readonly string[]): z.ZodType {
  return z.strictObject({
    labels: names.refine(
      (labels) => !labels.some((label) => isGuarded(label, { states, vouching })),
      'must not hold a state (use issue_move), nor a label by which people vouch for an issue',
    ),
  });
}

export function commented(): ToolEffect {
  return { kind: 'commented' };
}

const Opened = z.object({ html_url: z.url() });

export function opened(answer: unknown): ToolEffect | null {
  const parsed = Opened.safeParse(answer);
  return parsed.success ? { kind: 'pull_request', url: parsed.data.html_url } : null;
}
