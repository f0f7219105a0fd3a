import { z } from 'zod';
import { longText, shortText, webAddress } from '../../tools/text-inputs.ts';

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
