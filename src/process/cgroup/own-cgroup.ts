import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Where version 2 of the kernel's control groups is mounted, and which part of the tree is visible there. */
export interface CgroupMount {
  readonly folder: string;
  readonly root: string;
}

/** Reads proc(5) `mountinfo`; null where version 2 is not mounted. */
export function findCgroupMount(mountinfo: string): CgroupMount | null {
  for (const line of mountinfo.split('\n')) {
    const [mount = '', source = ''] = line.split(' - ');
    const [, , , root, folder] = mount.split(' ');
    if (!source.startsWith('cgroup2 ') || root === undefined || folder === undefined) continue;
    return { folder: unescaped(folder), root: unescaped(root) };
  }
  return null;
}

/** The line of version 2 in a process's `cgroup` file, as a path of the tree; null when it has none. */
export function cgroupPathIn(text: string): string | null {
  const line = text.split('\n').find((candidate) => candidate.startsWith('0::/'));
  return line === undefined ? null : line.slice('0::'.length);
}

/** The folder of a path of the tree; null when it is not below what the mount shows. */
export function folderOfCgroup({ folder, root }: CgroupMount, path: string): string | null {
  const below = relative(root, path);
  return below === '..' || below.startsWith('../') || path.split('/').includes('..')
    ? null
    : join(folder, below);
}

/** Spaces and the like are written as octal numbers there. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

export function readCgroupMount(): CgroupMount | null {
  return process.platform === 'linux' ? findCgroupMount(readOrNothing('/proc/self/mountinfo')) : null;
}

/** The folder of the cgroup that a process is in; null when there is none that could be seen. */
export function readCgroupFolder(pid: number | 'self', mount: CgroupMount): string | null {
  const path = cgroupPathIn(readOrNothing(`/proc/${pid}/cgroup`));
  return path === null ? null : folderOfCgroup(mount, path);
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // It ended, or the system has none.
  }
}
