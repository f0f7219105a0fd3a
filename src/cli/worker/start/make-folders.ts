import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Config } from '../../../config/config.ts';
import type { Environment } from '../../../config/read/environment.ts';
import { overlaps } from '../../../config/roots/shared-roots.ts';
import { stateFolderOf } from '../../../config/roots/state-folder.ts';
import { AppError, messageOf } from '../../../errors/app-error.ts';
import { closeFolder, ensurePrivateFolder } from '../../../process/private-folder.ts';

/** Makes the folders that the worker keeps its things in; each failure names the folder and the fix. */
export async function makeFolders(config: Config, environment: Environment): Promise<void> {
  await ensureStateFolder(config, environment);
  await ensureWritable(config.workspace.root, 'workspace.root');
  if (config.repo !== null) await ensureWritable(config.workspace.mirrorRoot, 'workspace.mirror_root');
}

/** A workflow that names no places of its own keeps everything in its state folder, which is for its user only. */
async function ensureStateFolder(
  { workflowPath, workspace: { root, mirrorRoot } }: Config,
  environment: Environment,
): Promise<void> {
  const folder = stateFolderOf(workflowPath, environment);
  if (!overlaps(folder, root) && !overlaps(folder, mirrorRoot)) return;
  await ensurePrivateFolder(folder).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    throw new AppError('workspace_root_unwritable', `${folder} cannot be created: ${messageOf(error)}`, {
      hint: 'Let this user write there, set XDG_STATE_HOME, or set workspace.root and workspace.mirror_root in WORKFLOW.md.',
      cause: error,
    });
  });
}

async function ensureWritable(path: string, key: string): Promise<void> {
  try {
    await closeFolder(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('workspace_root_unwritable', `${key} ${path} cannot be written: ${messageOf(error)}`, {
      hint: `Set ${key} in WORKFLOW.md to a directory this user may write.`,
      cause: error,
    });
  }
}
