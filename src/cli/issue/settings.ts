import { resolve } from 'node:path';
import type { Environment } from '../../config/read/environment.ts';
import { problemsToError } from '../../config/read/problem.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { DEFAULT_ACTIVE_STATES, DEFAULT_TERMINAL_STATES } from '../../config/schema/tracker.ts';
import { AppError } from '../../errors/app-error.ts';
import { type LocalStates, localStates } from '../../trackers/local/states.ts';
import { loadWorkflow } from '../workflow-file.ts';

/** Where the issues are and what their states mean. */
export interface IssueSettings {
  /** Absolute. */
  readonly path: string;
  readonly issuePrefix: string;
  readonly states: LocalStates;
  readonly assignee: string | null;
}

export interface FolderFlags {
  readonly dir?: string;
  readonly workflow?: string;
}

export interface FolderContext {
  readonly environment: Environment;
  readonly cwd: string;
}

/** The folder given by `--dir`, with the usual states, or the one that the workflow file names. */
export async function resolveIssueFolder(
  flags: FolderFlags,
  { environment, cwd }: FolderContext,
): Promise<IssueSettings> {
  if (flags.dir !== undefined) {
    return {
      path: resolve(cwd, flags.dir),
      issuePrefix: 'TASK',
      states: localStates(DEFAULT_ACTIVE_STATES, DEFAULT_TERMINAL_STATES),
      assignee: null,
    };
  }
  const workflowPath = await chooseWorkflowPath(flags.workflow, environment, cwd).catch((error: unknown) => {
    if (!(error instanceof AppError) || flags.workflow !== undefined) throw error;
    throw new AppError(error.code, error.message, {
      hint: 'Name the folder of issues with --dir, or a workflow file with --workflow.',
      cause: error,
    });
  });
  const loaded = await loadWorkflow({ path: workflowPath, environment });
  if (!loaded.ok) throw problemsToError(loaded.problems);
  const { tracker } = loaded.config;
  const { path, issue_prefix: issuePrefix } = tracker.provider;
  if (!tracker.isFolder || typeof path !== 'string' || typeof issuePrefix !== 'string') {
    throw new AppError('usage', `${workflowPath} uses the tracker ${tracker.kind}, not a folder of issues.`, {
      hint: 'Use that tracker itself, or name a folder of issues with --dir.',
    });
  }
  const { activeStates, terminalStates, inactiveStates, assignee } = tracker;
  return { path, issuePrefix, states: localStates(activeStates, terminalStates, inactiveStates), assignee };
}
