import { serveHelper } from '../../process/helper/serve-helper.ts';
import { SERVICE } from './messages.ts';

/** The program of the helper: the worker's commands, and its workspaces. */
serveHelper({ [SERVICE]: async () => (await import('./service.ts')).serveWorkspaces }, process.argv[2] ?? '');
