import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SYSTEM_FOLDERS, type Visibility } from './plan.ts';

/** Names, certificates and users; nothing else of /etc, which holds secrets of the host. */
const ETC = [
  ...['resolv.conf', 'hosts', 'host.conf', 'nsswitch.conf', 'gai.conf', 'services', 'protocols'],
  ...['ssl', 'pki', 'ca-certificates', 'crypto-policies', 'ca-certificates.conf'],
  ...[
    'passwd',
    'group',
    'localtime',
    'timezone',
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'alternatives',
  ],
  ...['gitconfig', 'mime.types', 'os-release'],
].map((name) => `/etc/${name}`);

/**
 * Arguments of `bwrap` up to the program: own process, ipc and host-name namespaces, a root that holds only what is
 * named here, and an end with the worker's. The environment is inherited, so that no value stands in the arguments.
 */
export async function bubblewrapArgs(
  seen: Visibility,
  shareNetwork: boolean,
  cwd: string,
): Promise<string[]> {
  const args = ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'];
  if (!shareNetwork) args.push('--unshare-net');
  args.push('--cap-drop', 'ALL', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run');
  for (const folder of SYSTEM_FOLDERS) args.push(...(await systemEntry(folder)));
  for (const path of ETC) args.push('--ro-bind-try', path, path);
  args.push(...(await resolverFolder()));
  if (seen.home !== null) args.push('--tmpfs', seen.home);
  const binds = [
    ...seen.readOnly.map((path) => ({ option: '--ro-bind', path })),
    ...seen.writable.map((path) => ({ option: '--bind', path })),
  ];
  // A folder comes before what is inside of it, or it would cover it.
  for (const { option, path } of binds.sort((a, b) => depth(a.path) - depth(b.path)))
    args.push(option, path, path);
  return [...args, '--chdir', cwd, '--'];
}

function depth(path: string): number {
  return path.split('/').length;
}

async function systemEntry(path: string): Promise<readonly string[]> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return [];
  return found.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind', path, path];
}

/** `resolv.conf` is often a link into /run. */
async function resolverFolder(): Promise<readonly string[]> {
  const real = await realpath('/etc/resolv.conf').catch(() => '');
  const folder = dirname(real);
  return real.startsWith('/run/') ? ['--ro-bind', folder, folder] : [];
}
