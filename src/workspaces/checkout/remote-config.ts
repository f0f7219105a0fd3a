import { chmod, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../observability/logger.ts';
import { replaceFile } from '../files/path-safety.ts';
import { renderGitConfig } from '../git/config-text.ts';
import type { Git, GitCall } from '../git/git.ts';
import { stripUrlCredentials } from '../git/repository-url.ts';
import type { RepositoryView } from '../reading/repository-view.ts';

const REFSPEC = '+refs/heads/*:refs/remotes/origin/*';

/** The part of a workspace's configuration that names the real remote. A partial mirror's missing files come from there too. */
export function renderRemoteConfig(url: string, filter: string | null): string {
  const remote = { url, fetch: REFSPEC };
  if (filter === null) return renderGitConfig({ 'remote "origin"': remote });
  return renderGitConfig({
    'remote "origin"': { ...remote, promisor: 'true', partialclonefilter: filter },
    core: { repositoryformatversion: '1' },
    extensions: { partialClone: 'origin' },
  });
}

/** Gives an existing workspace the remote's current address and credential. */
export async function refreshRemoteUrl(
  git: Git,
  logger: Logger,
  view: RepositoryView,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const path = join(view.gitDirectory, 'config');
  const config = ['config', '--file', path];
  // Not run in the workspace: git would read its configuration first, and give up when that is broken.
  const call: GitCall = { cwd: view.directory, action: 'refreshing the remote of a workspace', signal };
  const current = await git.attempt([...config, '--get', 'remote.origin.url'], call);
  if (current.stdout.trimEnd() === url) return;
  const missing = 1;
  if (current.code !== 0 && current.code !== missing) {
    await replaceBrokenConfig(path, url);
    logger.warn('replaced the broken git configuration of a workspace', { workspace: view.workTree });
    return;
  }
  await git.run([...config, '--replace-all', 'remote.origin.url', url], call);
  await chmod(path, 0o600);
  const shown = stripUrlCredentials(url);
  logger.info('refreshed the remote of a workspace', { workspace: view.workTree, url: shown });
}

/** The broken file stays beside the new one. */
async function replaceBrokenConfig(path: string, url: string): Promise<void> {
  await rename(path, `${path}.broken`);
  const core = { repositoryformatversion: '0', filemode: 'true', bare: 'false', logallrefupdates: 'true' };
  await replaceFile(path, renderGitConfig({ core }) + renderRemoteConfig(url, null));
}
