import { z } from 'zod';
import type { Issue } from '../../../domain/issue.ts';
import { longText, webAddress } from '../../../tools/text-inputs.ts';
import { defineTool, type Tool, ToolRefusal } from '../../../tools/tool-kit.ts';
import type { LinearClient } from '../client.ts';
import { CREATE_COMMENT, ISSUE_COMMENTS, UPDATE_COMMENT } from '../documents.ts';
import { isOwnIssue } from '../guard/own-issue.ts';
import { type CommentAuthor, WorkpadComment } from '../schema.ts';
import { mutate, readOwnState } from './own-issue.ts';

const MARKER = '<!-- aiops:ai-workpad -->';
const MAX_COMMENT_PAGES = 100;

/** The issue is named, as in the Go worker; it must be the one of the run. */
const WorkpadInput = z.strictObject({
  variables: z.strictObject({
    issueId: z.string().trim().min(1).max(100).describe('Id or identifier of the issue you are working on.'),
    branch: longText.optional().describe('Branch the work is on.'),
    prUrl: webAddress.optional().describe('Address of the pull request.'),
    summary: longText.optional().describe('What was done so far.'),
    blocker: longText.optional().describe('What holds the work up.'),
    next: longText.optional().describe('What comes next.'),
  }),
});
type WorkpadValues = z.infer<typeof WorkpadInput>['variables'];

/** One comment on the run's issue that is kept up to date instead of added to. */
export function createWorkpadTool(client: LinearClient): Tool {
  return defineTool(
    'linear_ai_workpad',
    'Create or update the one "AI Workpad" comment on the issue you are working on in Linear.',
    WorkpadInput,
    async ({ variables }, { issue, signal }) => {
      if (!isOwnIssue(variables.issueId, issue))
        throw new ToolRefusal(
          'out_of_scope',
          `Only ${issue.identifier}, the issue of this run, has a workpad here.`,
        );
      await readOwnState(client, issue, signal);
      const existing = await findWorkpad(client, issue, signal);
      const body = writeWorkpad(variables);
      if (existing === null) await mutate(client, CREATE_COMMENT, { issueId: issue.id, body }, signal);
      else await mutate(client, UPDATE_COMMENT, { id: existing, body }, signal);
      const output = { identifier: issue.identifier, created: existing === null };
      return { output, effect: { kind: 'commented' } };
    },
  );
}

/** The worker's own comment with the marker; anybody else's is not touched. */
async function findWorkpad(client: LinearClient, issue: Issue, signal: AbortSignal): Promise<string | null> {
  const comments = await client.all({
    what: 'comments',
    maxPages: MAX_COMMENT_PAGES,
    operation: { document: ISSUE_COMMENTS, purpose: 'tool', signal },
    variables: (after) => ({ id: issue.id, after }),
    connection: (data) => (data['issue'] as Readonly<Record<string, unknown>> | null)?.['comments'],
  });
  for (const entry of comments) {
    const comment = WorkpadComment.safeParse(entry).data;
    if (comment?.body.startsWith(MARKER) === true && isByWorker(comment)) return comment.id;
  }
  return null;
}

/** Written by the holder of the credential: a person's key, or an application without a user. */
export function isByWorker(comment: ReturnType<typeof CommentAuthor.parse>): boolean {
  return comment.user === null ? comment.botActor !== null : comment.user.isMe;
}

function writeWorkpad(values: WorkpadValues): string {
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['Branch', values.branch],
    ['Pull request', values.prUrl],
    ['Summary', values.summary],
    ['Blocker', values.blocker],
    ['Next', values.next],
  ];
  const sections = parts.flatMap(([title, text]) =>
    text === undefined ? [] : [`## ${title}\n\n${text.trim()}`],
  );
  return [`${MARKER}\n# AI Workpad`, ...sections].join('\n\n');
}
