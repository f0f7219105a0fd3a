import { readdir, readFile, readlink } from 'node:fs/promises';

export interface PortHolder {
  readonly pid: number;
  readonly name: string;
}

/** The process that listens on a TCP port, where the system lets us see it (Linux, same user); else null. */
export async function findPortHolder(port: number): Promise<PortHolder | null> {
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const inode of listeningInodes(await readText(table), port)) inodes.add(inode);
  }
  if (inodes.size === 0) return null;
  for (const entry of await list('/proc')) {
    if (/^\d+$/.test(entry) && (await holdsSocket(entry, inodes))) {
      return { pid: Number(entry), name: (await readText(`/proc/${entry}/comm`)).trim() || 'a process' };
    }
  }
  return null;
}

/** Socket inodes in state LISTEN on the port, from the text of /proc/net/tcp. */
export function listeningInodes(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(suffix))
    .flatMap((fields) => fields[9] ?? []);
}

async function holdsSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  for (const fd of await list(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined && inodes.has(inode)) return true;
  }
  return false;
}

function list(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
