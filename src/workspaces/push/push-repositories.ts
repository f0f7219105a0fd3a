import { join } from 'node:path';
import type { GitConfig } from '../git/config-text.ts';
import { writeRepository } from '../git/write-repository.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import type { PushLimits } from './limits.ts';
import { takeObjects } from './own-objects.ts';

/** Two bare repositories of the worker's own. Both borrow from the mirror; nothing of the agent's configures them. */
export interface PushRepositories {
  /** Holds what lies in the workspace, unchecked. */
  readonly source: string;
  /** Takes over from `source` only what git has checked, and is pushed from. */
  readonly checked: string;
}

/** Null when the workspace holds more files of objects than a session makes. */
export async function makePushRepositories(
  folder: string,
  workTree: string,
  mirror: Mirror,
  filter: string | null,
  limits: PushLimits,
): Promise<PushRepositories | null> {
  const [source, checked] = [join(folder, 'source.git'), join(folder, 'checked.git')];
  const parts = {
    head: 'refs/heads/none',
    config: configOf(mirror, filter, limits),
    borrows: [join(mirror.path, 'objects')],
    shallowAs: mirror.path,
  };
  for (const path of [source, checked]) await writeRepository(path, parts);
  return (await takeObjects(workTree, join(source, 'objects'), limits.files)) ? { source, checked } : null;
}

function configOf({ url }: Mirror, filter: string | null, { packBytes }: PushLimits): GitConfig {
  const origin = { url, ...(filter === null ? {} : { promisor: 'true', partialclonefilter: filter }) };
  return {
    core: {
      repositoryformatversion: filter === null ? '0' : '1',
      bare: 'true',
      hooksPath: '/dev/null',
      // Memory is limited while an agent's objects are read: packs are mapped in parts, large files are streamed.
      packedGitWindowSize: '32m',
      packedGitLimit: '512m',
      bigFileThreshold: '64m',
      logAllRefUpdates: 'false',
    },
    gc: { auto: '0' },
    maintenance: { auto: 'false' },
    pack: { threads: '1', windowMemory: '256m' },
    receive: {
      fsckObjects: 'true',
      maxInputSize: String(packBytes),
      unpackLimit: '1',
      autogc: 'false',
    },
    'remote "origin"': origin,
    ...(filter === null ? {} : { extensions: { partialClone: 'origin' } }),
  };
}
