import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessRow } from './process-row.ts';

const COLUMNS = ['-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];

/** The process table where there is no /proc, through the `ps` of POSIX systems. */
export async function readPsTable(): Promise<ProcessRow[]> {
  return parsePs(await runPs(['-A', ...COLUMNS]));
}

/** Null when there is no such process. */
export async function readPsRow(pid: number): Promise<ProcessRow | null> {
  const output = await runPs(['-p', String(pid), ...COLUMNS]).catch(() => '');
  return parsePs(output)[0] ?? null;
}

async function runPs(args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', args, {
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
    timeout: 5_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

export function parsePs(output: string): ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const [pid, parentPid, groupId, state, ...start] = line.trim().split(/\s+/);
    if (state === undefined || start.length === 0) return [];
    const startTime = start.join(' ');
    return {
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      zombie: state.startsWith('Z'),
      startTime,
      startOrder: Date.parse(`${startTime} UTC`),
    };
  });
}
