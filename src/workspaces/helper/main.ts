import { serveHelper } from '../../process/helper/serve-helper.ts';
import { SERVICE, TASK_FILES_SERVICE } from './messages.ts';

/** The program of the helper: the worker's commands, and its workspaces. */
serveHelper(
  {
    [SERVICE]: async () => (await import('./service.ts')).serveWorkspaces,
    [TASK_FILES_SERVICE]: async () => (await import('./service.ts')).serveTaskFiles,
  },
  process.argv[2] ?? '',
);
