import { lstat } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import type { Environment } from '../../config/read/environment.ts';
import { trackerScopeOf } from '../../config/roots/shared-roots.ts';
import { defaultRoot, earlierDefaultRoot, stateFolderOf } from '../../config/roots/state-folder.ts';
import { journalPathOf } from '../../store/journal-path.ts';
import { openRootReader } from '../../store/sqlite/journal-reader.ts';

/**
 * The default root of earlier versions, when this workflow uses the default one, has kept nothing in it yet, and an
 * earlier worker of ours left a journal of the same issues there; else null. Nothing is moved.
 */
export async function findEarlierRoot(config: Config, environment: Environment): Promise<string | null> {
  const { root } = config.workspace;
  if (root !== defaultRoot(stateFolderOf(config.workflowPath, environment))) return null;
  if ((await lstat(journalPathOf(root)).catch(() => null)) !== null) return null;
  const earlier = earlierDefaultRoot(environment);
  const path = journalPathOf(earlier);
  const found = await lstat(path).catch(() => null);
  // Anybody may put files into the system's temporary directory.
  if (found?.isFile() !== true || (process.getuid !== undefined && found.uid !== process.getuid()))
    return null;
  const journal = await openRootReader(earlier, trackerScopeOf(config.tracker)).catch(() => null);
  if (journal === null) return null;
  try {
    return journal.recentRuns(1).length > 0 || journal.loadRecords().length > 0 ? earlier : null;
  } catch {
    return null;
  } finally {
    await journal.close();
  }
}
