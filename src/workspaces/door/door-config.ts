import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git, GitCall } from '../git.ts';
import { readingPath } from '../mirror/reading.ts';
import { DOOR } from './door-hook.ts';

export interface DoorAddresses {
  /** Where the workspace is, or will be. */
  readonly workTree: string;
  readonly mirrorPath: string;
  /** The address of `origin`, without a credential. */
  readonly url: string;
  /** False for a partial clone: files that its mirror lacks can only come from the remote itself. */
  readonly readsMirror: boolean;
}

/** Settings of a repository that lead pushes to the door and fetches to the mirror, while `origin` keeps its address. */
export function doorSettings({
  workTree,
  mirrorPath,
  url,
  readsMirror,
}: DoorAddresses): readonly (readonly [string, string])[] {
  const door = join(workTree, '.git', ...DOOR);
  return [
    ...(readsMirror ? [[`url.${readingPath(mirrorPath)}.insteadOf`, url] as const] : []),
    [`url.${door}.pushInsteadOf`, url],
    // Plain `git push` means the branch that is checked out, whether or not it was pushed before.
    ['push.default', 'current'],
    ['push.autoSetupRemote', 'true'],
  ];
}

/** Brings a repository's settings to the door there is now; null takes away what an earlier one left. */
export async function configureDoor(
  git: Git,
  file: string,
  addresses: DoorAddresses | null,
  call: GitCall,
): Promise<void> {
  const config = ['config', '--file', file];
  const found = await git.attempt(
    [
      ...config,
      '--no-includes',
      '-z',
      '--name-only',
      '--get-regexp',
      '^(url\\..*\\.(push)?insteadof|remote\\.origin\\.pushurl)$',
    ],
    call,
  );
  const names = found.code === 0 ? found.stdout.split('\0').filter((name) => name !== '') : [];
  const wanted = addresses === null ? [] : doorSettings(addresses);
  for (const name of new Set(names)) {
    if (wanted.length > 0 && name.toLowerCase() === 'remote.origin.pushurl')
      await git.attempt([...config, '--unset-all', name], call);
    const base = /^url\.(.*)\.(?:push)?insteadof$/i.exec(name)?.[1] ?? '';
    if (base.endsWith(join('.git', ...DOOR)) || base.endsWith('.shared.git/reading.git'))
      await git.attempt([...config, '--unset-all', name], call);
  }
  for (const [name, value] of wanted) await git.run([...config, '--replace-all', name, value], call);
  await chmod(file, 0o600);
}
