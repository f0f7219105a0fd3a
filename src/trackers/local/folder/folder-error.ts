import { AppError, hasErrno, messageOf } from '../../../errors/app-error.ts';

/** A failure of the file system as the tracker's error. */
export function folderError(folder: string, error: unknown): AppError {
  if (hasErrno(error, 'ENOENT')) {
    return new AppError('tracker_request', `The issue folder ${folder} does not exist.`, {
      hint: `Create it with "mkdir -p ${folder}", or correct tracker.path in the workflow file.`,
      cause: error,
    });
  }
  if (hasErrno(error, 'ENOTDIR')) {
    return new AppError('tracker_request', `The issue folder ${folder} is not a folder.`, {
      hint: 'Point tracker.path at a folder that holds one Markdown file per issue.',
      cause: error,
    });
  }
  return new AppError('tracker_request', `The issue folder ${folder} cannot be read: ${messageOf(error)}`, {
    hint: 'Check the permissions of the folder and the disk it is on.',
    cause: error,
  });
}
