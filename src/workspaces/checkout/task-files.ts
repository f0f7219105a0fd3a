import { join } from 'node:path';
import type { Issue } from '../../domain/issue.ts';
import { hasErrno } from '../../errors/app-error.ts';
import { removeFile } from '../../process/files/remove-file.ts';
import { writeFileInside } from '../files/path-safety.ts';

/** Where the worker and the agent leave files for each other, inside a workspace. */
export const TASK_DIRECTORY = '.aiops';

/** What an earlier run may have left and a new one must not take for its own. */
const STALE_FILES = ['FAILURE.md', 'CHANGED_FILES.txt', 'RUN_SUMMARY.md', 'VERIFICATION.txt', 'BLOCKED.json'];

export interface TaskFilesInput {
  readonly workspacePath: string;
  readonly issue: Issue;
  readonly prompt: string;
  /** In `analysis_only` mode the plan is the run's product, so an old one goes. */
  readonly policyMode?: string;
}

/**
 * Writes `.aiops/PROMPT.md` and `.aiops/TASK.md` (mode 0600) and removes what an earlier run left. No link is followed:
 * one planted under these names is replaced, its target untouched, a folder there is kept beside; `.aiops` itself being a link is refused.
 */
export async function writeTaskFiles({
  workspacePath,
  issue,
  prompt,
  policyMode,
}: TaskFilesInput): Promise<void> {
  await writeFileInside(workspacePath, [TASK_DIRECTORY, 'PROMPT.md'], prompt);
  await writeFileInside(workspacePath, [TASK_DIRECTORY, 'TASK.md'], taskText(issue));
  const stale = policyMode === 'analysis_only' ? [...STALE_FILES, 'PLAN.md'] : STALE_FILES;
  for (const name of stale) await removeFile(join(workspacePath, TASK_DIRECTORY, name)).catch(ifFolder);
}

/** A folder of that name is kept. */
function ifFolder(error: unknown): void {
  if (!hasErrno(error, 'EISDIR') && !hasErrno(error, 'EPERM')) throw error;
}

function taskText(issue: Issue): string {
  const facts = [`Identifier: ${issue.identifier}`, `Title: ${issue.title}`, `State: ${issue.state}`];
  if (issue.url !== null) facts.push(`URL: ${issue.url}`);
  const description = issue.description?.trim() ?? '';
  return `# Task ${issue.id}\n\n${facts.join('\n')}\n${description === '' ? '' : `\n${description}\n`}`;
}
