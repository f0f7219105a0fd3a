import { z } from 'zod';

export const MAX_TEXT_BYTES = 64 * 1024;

export const longText = z
  .string()
  .refine((text) => text.trim() !== '', 'must not be blank')
  .refine((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES, 'must be at most 64 KiB');
const shortText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line of text');
export const webAddress = z
  .string()
  .trim()
  .max(2048)
  .refine(isWebAddress, 'must be an http or https address without a user name');

/** Arguments of the tools that every tracker has. No field names an issue: a tool acts on the issue of its run. */
export const IssueGetInput = z.strictObject({});
export const IssueMoveInput = z.strictObject({
  state: shortText.describe('Name of the state to move this issue to, for example "Human Review".'),
});
export const IssueCommentInput = z.strictObject({
  body: longText.describe('Comment in Markdown, at most 64 KiB.'),
});
export const PrLinkInput = z.strictObject({
  url: webAddress.describe('Address of the pull request.'),
  title: shortText.optional().describe('What the link is called; the address when left out.'),
});

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
