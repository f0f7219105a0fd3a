import type { RepositoryView } from './repository-view.ts';

export interface RepositoryStatus {
  /** The commit that is checked out; null on a branch without one. */
  readonly head: string | null;
  /** Paths that differ between commit, index and files, untracked ones included; one character per byte. */
  readonly uncommitted: ReadonlySet<string>;
}

const FLAGS = ['--porcelain=v2', '--branch', '-z', '--no-renames', '--untracked-files=all'];

/** `--ignore-submodules=dirty`: git enters no repository inside of the work tree. */
export async function readStatus(
  query: RepositoryView['query'],
  signal: AbortSignal | undefined,
): Promise<RepositoryStatus | null> {
  const call = signal === undefined ? { bytes: true } : { bytes: true, signal };
  const output = await query(['status', ...FLAGS, '--ignore-submodules=dirty'], call);
  return output === null ? null : parseStatus(output);
}

/** Fields before the path, by the first character of an entry. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

export function parseStatus(output: string): RepositoryStatus {
  let head: string | null = null;
  const uncommitted = new Set<string>();
  for (const entry of output.split('\0')) {
    const oid = /^# branch\.oid ([0-9a-f]{40,64})$/.exec(entry)?.[1];
    if (oid !== undefined) head = oid;
    const fields = FIELDS[entry[0] ?? ''];
    if (fields !== undefined) uncommitted.add(entry.split(' ').slice(fields).join(' '));
  }
  return { head, uncommitted };
}
