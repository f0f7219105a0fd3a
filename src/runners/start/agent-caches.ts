import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Below the workspace: writable in the agent's sandbox, kept out of commits, and removed with the workspace. */
const FOLDER = '.aiops';

/**
 * Where build tools of an agent keep their files. A sandboxed agent can write neither /tmp nor the user's caches, and two
 * agents must not share them.
 */
export function cacheVariables(workspacePath: string): Record<string, string> {
  const cache = join(workspacePath, FOLDER, 'cache');
  return {
    TMPDIR: temporaryFolder(workspacePath),
    XDG_CACHE_HOME: cache,
    GOCACHE: join(cache, 'go-build'),
    npm_config_cache: join(cache, 'npm'),
    PIP_CACHE_DIR: join(cache, 'pip'),
  };
}

/** Tools expect TMPDIR to exist. One that is not the workspace's own is somebody else's business. */
export async function makeTemporaryFolder(
  env: Readonly<Record<string, string>>,
  workspacePath: string,
): Promise<void> {
  const own = temporaryFolder(workspacePath);
  // What stands in its way was put there by the agent; the agent then has no TMPDIR.
  if (env['TMPDIR'] !== undefined && relative(env['TMPDIR'], own) === '')
    await mkdir(own, { recursive: true }).catch(() => {});
}

function temporaryFolder(workspacePath: string): string {
  return join(workspacePath, FOLDER, 'tmp');
}
