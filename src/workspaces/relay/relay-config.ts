import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { renderGitConfig } from '../git/config-text.ts';
import type { Git, GitCall } from '../git/git.ts';
import { readingPath } from '../mirror/reading.ts';
import { RELAY } from './relay-hook.ts';

export interface RelayAddresses {
  /** Where the workspace is, or will be. */
  readonly workTree: string;
  readonly mirrorPath: string;
  /** The address of `origin`, without a credential. */
  readonly url: string;
  /** False for a partial clone: files that its mirror lacks can only come from the remote itself. */
  readonly readsMirror: boolean;
}

/** Settings of a repository that lead pushes to the relay and fetches to the mirror, while `origin` keeps its address. */
export function relaySettings({
  workTree,
  mirrorPath,
  url,
  readsMirror,
}: RelayAddresses): readonly Setting[] {
  const relay = join(workTree, '.git', ...RELAY);
  return [
    ...(readsMirror ? [[`url.${readingPath(mirrorPath)}.insteadOf`, url] as const] : []),
    [`url.${relay}.pushInsteadOf`, url],
    // Plain `git push` means the branch that is checked out, whether or not it was pushed before.
    ['push.default', 'current'],
    ['push.autoSetupRemote', 'true'],
  ];
}

type Setting = readonly [name: string, value: string];

/** What to take away and what to write so that a repository's settings lead to the relay, and to no earlier one. */
export function changesTo(
  found: readonly Setting[],
  wanted: readonly Setting[],
): { readonly unset: readonly string[]; readonly set: readonly Setting[] } {
  const valuesOf = (name: string): readonly string[] =>
    found.filter(([other]) => sameName(other, name)).map(([, value]) => value);
  const set = wanted.filter(([name, value]) => valuesOf(name).join('\0') !== value);
  const settled = wanted.filter((setting) => !set.includes(setting)).map(([name]) => name);
  const unset = [...new Set(found.map(([name]) => name))].filter((name) => {
    if (settled.some((kept) => sameName(kept, name))) return false;
    if (name.toLowerCase() === 'remote.origin.pushurl') return wanted.length > 0;
    const base = /^url\.(.*)\.(?:push)?insteadof$/is.exec(name)?.[1] ?? '';
    return base.endsWith(join('.git', ...RELAY)) || base.endsWith('.shared.git/reading.git');
  });
  return { unset, set };
}

/** Upper and lower case count in the middle of a name only. */
function sameName(one: string, other: string): boolean {
  const plain = (name: string): string => name.replace(/^[^.]*|[^.]*$/g, (part) => part.toLowerCase());
  return plain(one) === plain(other);
}

const OURS = '^(url\\..*\\.(push)?insteadof|remote\\.origin\\.pushurl|push\\.(default|autosetupremote))$';

/** Brings a repository's settings to the relay there is now; null takes away what an earlier one left. */
export async function configureRelay(
  git: Git,
  file: string,
  addresses: RelayAddresses | null,
  call: GitCall,
): Promise<void> {
  const config = ['config', '--file', file];
  const answer = await git.attempt([...config, '--no-includes', '-z', '--get-regexp', OURS], call);
  const entries = answer.code === 0 ? answer.stdout.split('\0').filter((entry) => entry !== '') : [];
  const found = entries.map((entry): Setting => {
    const end = entry.indexOf('\n');
    return end === -1 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)];
  });
  const { unset, set } = changesTo(found, addresses === null ? [] : relaySettings(addresses));
  for (const name of unset) await git.attempt([...config, '--unset-all', name], call);
  for (const [name, value] of set) await git.run([...config, '--replace-all', name, value], call);
  await chmod(file, 0o600);
}

/** The same for a repository that the worker has just made, as text for the end of its settings: nobody else has written to it. */
export function renderRelayConfig(addresses: RelayAddresses): string {
  const sections = relaySettings(addresses).map(([name, value]) => {
    const [, section = '', subsection, key = ''] = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/s.exec(name) ?? [];
    const quoted = subsection?.replace(/[\\"]/g, '\\$&');
    return renderGitConfig({ [quoted === undefined ? section : `${section} "${quoted}"`]: { [key]: value } });
  });
  return sections.join('');
}
