import type { Config } from '../../config/config.ts';
import { createSandbox } from '../../runners/sandbox/sandbox.ts';
import type { HookRequest } from '../../workspaces/checkout/hooks.ts';
import { mirrorPath, repositoryIdentity } from '../../workspaces/git/repository-url.ts';
import { borrowedFolders } from '../../workspaces/mirror/reading.ts';

/** What of the settings decides where hooks run. */
type HookSettings = Pick<Config, 'hooks' | 'sandbox' | 'workspace' | 'repo'>;

/** The agent's sandbox around a hook, when the workflow wants it: the same folders, the hook's own variables. */
export function hookSandbox(
  { hooks, sandbox: config, workspace, repo }: HookSettings,
  workspacePath: string,
): Pick<HookRequest, 'wrap'> {
  const sandbox = hooks.sandbox ? createSandbox(config, workspace.mirrorRoot) : null;
  if (sandbox === null) return {};
  const mirror = repo === null ? null : mirrorPath(workspace.mirrorRoot, repositoryIdentity(repo.cloneUrl));
  const borrowed = mirror === null ? [] : borrowedFolders(mirror);
  return {
    wrap: (launch) => {
      const variables = Object.keys(launch.env);
      return sandbox.wrap(launch, { workspacePath, borrowedFolders: borrowed, stateFolders: [], variables });
    },
  };
}
