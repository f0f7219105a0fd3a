import { z } from 'zod';
import { longText, webAddress } from '../../../tools/text-inputs.ts';

/** The issue is named, as in the Go worker; it must be the one of the run. */
export const WorkpadInput = z.strictObject({
  variables: z.strictObject({
    issueId: z.string().trim().min(1).max(100).describe('Id or identifier of the issue you are working on.'),
    branch: longText.optional().describe('Branch the work is on.'),
    prUrl: webAddress.optional().describe('Address of the pull request.'),
    summary: longText.optional().describe('What was done so far.'),
    blocker: longText.optional().describe('What holds the work up.'),
    next: longText.optional().describe('What comes next.'),
  }),
});
export type WorkpadValues = z.infer<typeof WorkpadInput>['variables'];
