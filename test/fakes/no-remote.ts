import type { Workspaces } from '../../src/workspaces/workspaces.ts';

/** The push of workspaces that have no remote. */
export const pushNowhere: Workspaces['push'] = async () => ({
  ok: false,
  code: 'no_repository',
  message: 'there is no remote',
  remoteLines: [],
});
