import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitConfig, renderGitConfig } from '../git/config-text.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import { pathKind, replaceFile } from '../ownership/path-safety.ts';
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
  for (const path of [source, checked]) await makeBare(path, mirror, filter, limits);
  return (await takeObjects(workTree, join(source, 'objects'), limits.files)) ? { source, checked } : null;
}

async function makeBare(
  path: string,
  mirror: Mirror,
  filter: string | null,
  limits: PushLimits,
): Promise<void> {
  await mkdir(join(path, 'objects', 'info'), { recursive: true, mode: 0o700 });
  await mkdir(join(path, 'refs', 'heads'), { recursive: true });
  await replaceFile(join(path, 'HEAD'), 'ref: refs/heads/none\n');
  await replaceFile(join(path, 'objects', 'info', 'alternates'), `${join(mirror.path, 'objects')}\n`);
  await replaceFile(join(path, 'config'), renderGitConfig(configOf(mirror, filter, limits)));
  if ((await pathKind(join(mirror.path, 'shallow'))) === 'other')
    await copyFile(join(mirror.path, 'shallow'), join(path, 'shallow'));
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
