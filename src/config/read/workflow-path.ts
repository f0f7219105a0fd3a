import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError, hasErrno, messageOf } from '../../errors/app-error.ts';
import { type Environment, nonBlank } from './environment.ts';

export const WORKFLOW_FILE = 'WORKFLOW.md';

/**
 * The absolute path of the workflow file: the argument, else `AIOPS_WORKFLOW_PATH`, else `./WORKFLOW.md`.
 * A directory means the WORKFLOW.md in it. Throws `missing_workflow_file` when there is no such file.
 */
export async function chooseWorkflowPath(
  argument: string | null | undefined,
  environment: Environment,
  cwd: string,
): Promise<string> {
  if (argument !== null && argument !== undefined && argument.trim() !== '') {
    return existingFile(resolve(cwd, argument), 'Check the path given on the command line.');
  }
  const fromEnvironment = nonBlank(environment, 'AIOPS_WORKFLOW_PATH');
  if (fromEnvironment !== null) {
    return existingFile(resolve(cwd, fromEnvironment), 'Correct or unset AIOPS_WORKFLOW_PATH.');
  }
  return existingFile(
    join(cwd, WORKFLOW_FILE),
    'Write one with `aiops init`, run this in a directory with a WORKFLOW.md, give its path as an argument, or set AIOPS_WORKFLOW_PATH.',
  );
}

async function existingFile(path: string, hint: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => {
    const why = hasErrno(error, 'ENOENT') || hasErrno(error, 'ENOTDIR') ? 'does not exist' : messageOf(error);
    throw new AppError('missing_workflow_file', `workflow file ${path}: ${why}`, {
      hint,
      context: { path },
      cause: error,
    });
  });
  return found.isDirectory() ? existingFile(join(path, WORKFLOW_FILE), hint) : path;
}
