import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { type Environment, nonBlank } from '../read/environment.ts';
import { WORKFLOW_FILE } from '../read/workflow-path.ts';

const MAX_NAME_LENGTH = 40;

/** The folder that holds one folder per workflow of this user: `$XDG_STATE_HOME/aiops`, else `~/.local/state/aiops`. */
export function stateHome(environment: Environment): string {
  const named = nonBlank(environment, 'XDG_STATE_HOME');
  // A relative one would mean another folder in each directory; the convention says to ignore it.
  if (named !== null && isAbsolute(named)) return join(named, 'aiops');
  if (process.platform === 'win32') {
    const local = nonBlank(environment, 'LOCALAPPDATA');
    if (local !== null) return join(local, 'aiops');
  }
  return join(nonBlank(environment, 'HOME') ?? homedir(), '.local', 'state', 'aiops');
}

/**
 * Where a workflow keeps what is only its own: the record of its worker and, unless it names other places, workspaces,
 * journal, rescues and mirrors. Named for people, made unique by the workflow's real path.
 */
export function stateFolderOf(workflowPath: string, environment: Environment): string {
  const path = realWorkflowPath(workflowPath);
  const key = createHash('sha256').update(path).digest('hex').slice(0, 12);
  const file = basename(path);
  const parts = [basename(dirname(path)), ...(file === WORKFLOW_FILE ? [] : [basename(file, extname(file))])];
  const name = parts
    .map((part) => part.replace(/[^\w.-]+/g, '_').replace(/^[.-]+/, ''))
    .filter((part) => part !== '')
    .join('-')
    .slice(0, MAX_NAME_LENGTH);
  return join(stateHome(environment), `${name === '' ? 'workflow' : name}-${key}`);
}

export function defaultRoot(stateFolder: string): string {
  return join(stateFolder, 'workspaces');
}

export function defaultMirrorRoot(stateFolder: string): string {
  return join(stateFolder, 'mirrors');
}

/** The default root of earlier versions, which all workflows shared and a reboot may empty. */
export function earlierDefaultRoot(environment: Environment): string {
  return join(nonBlank(environment, 'TMPDIR') ?? tmpdir(), 'symphony_workspaces');
}

/**
 * One name for all ways to a workflow: its folder without symbolic links. The file itself may be one, as in a mounted
 * volume whose files are replaced by leading links elsewhere; it stays the same workflow.
 */
export function realWorkflowPath(path: string): string {
  const absolute = resolve(path);
  try {
    return join(realpathSync(dirname(absolute)), basename(absolute));
  } catch {
    return absolute;
  }
}
