import type { Issue } from '../domain/issue.ts';
import type { PushFailed } from '../domain/run-event.ts';
import type { RunEvidence } from '../domain/run-outcome.ts';

export interface PushPromptInput {
  readonly issue: Pick<Issue, 'identifier' | 'state'>;
  readonly evidence: RunEvidence;
  /** Whether the tool `branch_push` is offered. */
  readonly byTool: boolean;
  /** How the last push was refused; null when nobody tried, or it went through. */
  readonly refusal: Pick<PushFailed, 'message' | 'remoteLines'> | null;
}

/** What a session is told that handed its issue over before anybody else could see the work. */
export function pushPrompt({ issue, evidence, byTool, refusal }: PushPromptInput): string {
  const how = byTool ? 'call the tool `branch_push`, or run `git push`' : 'run `git push`';
  return [
    `${issue.identifier} is handed over (state: ${issue.state}), but nobody else can see your work yet.`,
    '',
    ...facts(evidence).map((fact) => `- ${fact}`),
    ...(refusal === null ? [] : refusalLines(refusal)),
    `- Push your branch now: ${how}, and read the answer.`,
    '- If the push is refused, mend what the refusal names and push again. If you cannot, say what stands in the way.',
    '- Do nothing else: the issue stays where it is, and this is the only turn for it.',
  ].join('\n');
}

/** Words of the remote are set off: they are data, and what is to be mended. */
function refusalLines({ message, remoteLines }: NonNullable<PushPromptInput['refusal']>): string[] {
  const said = remoteLines.map((line) => `    remote: ${line}`);
  const about = said.length === 0 ? '' : ' The remote said:';
  return [`- Your last push was refused: ${message}${about}`, ...said];
}

function facts({ branch, commitsAhead, headCommit, uncommittedFiles }: RunEvidence): string[] {
  const found: string[] = [];
  const commits = commitsAhead ?? 0;
  const edits = uncommittedFiles ?? 0;
  if (commits > 0) {
    const where = branch === null ? 'Your workspace' : `Branch ${branch}`;
    const upTo = headCommit === null ? '' : `, up to ${headCommit.slice(0, 12)},`;
    const what = commits === 1 ? '1 commit' : `${commits} commits`;
    found.push(`${where} has ${what}${upTo} that ${commits === 1 ? 'is' : 'are'} not on the remote.`);
  }
  if (edits > 0) {
    const files = edits === 1 ? '1 changed file is' : `${edits} changed files are`;
    const nothing = commits > 0 ? '' : ', and nothing else is';
    found.push(`${files} not committed${nothing}. Commit what belongs to the work, and leave the rest.`);
  }
  return found;
}
