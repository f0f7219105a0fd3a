import { z } from 'zod';
import type { Issue } from '../domain/issue.ts';
import type { PushRequest, PushResult } from '../domain/push.ts';
import type { PushFailed } from '../domain/run-event.ts';
import type { ToolCall, ToolResult } from '../domain/tool.ts';
import { defineTool, type Tool, ToolRefusal } from './tool-kit.ts';

/** Puts the branch of an issue onto the remote, with the worker's credential. */
export type PushBranch = (issue: Issue, request: PushRequest, signal: AbortSignal) => Promise<PushResult>;

const BRANCH_PUSH = 'branch_push';

const BranchPushInput = z.strictObject({
  force: z
    .boolean()
    .optional()
    .describe(
      'True replaces what was pushed for this issue before, after a rebase or an amended commit. Commits of others are never overwritten. Default false.',
    ),
});

const DESCRIPTION =
  'Pushes the committed work of your branch to the remote repository, with the credential of the worker; you need none. ' +
  "Only this issue's own branch is pushed, at its last commit: commit first, what is not committed stays behind. " +
  'The answer holds what the remote said, also when a rule or a hook there rejected the push. A plain `git push` does the same.';

const REMOTE_SAID = '\nThe remote said:\n';
const MAX_LINES = 60;
const MAX_LINE_LENGTH = 500;

export function branchPushTool(push: PushBranch): Tool {
  return defineTool(
    BRANCH_PUSH,
    DESCRIPTION,
    BranchPushInput,
    async ({ force = false }, { issue, signal }) => {
      const result = await push(issue, { commit: null, force }, signal);
      const remote = shownLines(result.remoteLines);
      if (!result.ok) {
        const said = remote.length === 0 ? '' : `${REMOTE_SAID}${remote.join('\n')}`;
        throw new ToolRefusal(result.code, `${result.message}${said}`);
      }
      const { branch, commit, changed } = result;
      return { output: { branch, commit, changed, remote }, effect: { kind: 'pushed', branch, commit } };
    },
  );
}

export function isBranchPush({ name }: { readonly name: string }): boolean {
  return name === BRANCH_PUSH;
}

/** The refusal that a call of this tool was answered with; null for any other call or answer. */
export function refusedPush(call: ToolCall, result: ToolResult): Omit<PushFailed, 'type'> | null {
  if (!isBranchPush(call) || result.success) return null;
  const [message = '', said = ''] = result.error.message.split(REMOTE_SAID);
  return { code: result.error.code, message, remoteLines: said === '' ? [] : said.split('\n') };
}

/** The end of what the remote said is what matters. */
function shownLines(lines: readonly string[]): readonly string[] {
  return lines.slice(-MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
}
