import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ProcessRow } from './process-row.ts';

/** `stat` files are read synchronously: about 10 µs each, and unlike `environ` they never wait for the process. */
export function readLinuxTable(): ProcessRow[] {
  const boot = readBootId();
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const row = Number.isInteger(pid) ? readStat(pid, boot) : null;
    if (row !== null) rows.push(row);
  }
  return rows;
}

export function readLinuxRow(pid: number): ProcessRow | null {
  return readStat(pid, readBootId());
}

function readStat(pid: number, boot: string): ProcessRow | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), boot);
  } catch {
    return null; // It ended, or never was.
  }
}

/** Parses a line of proc(5) `stat`. The name in parentheses may itself hold spaces and parentheses. */
export function parseStat(text: string, boot: string): ProcessRow | null {
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parentPid, groupId] = fields;
  const startTicks = fields[19];
  if (Number.isNaN(pid) || state === undefined || startTicks === undefined) return null;
  return {
    pid,
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    zombie: state === 'Z' || state === 'X' || state === 'x',
    startTime: `${boot}:${startTicks}`,
    startOrder: Number(startTicks),
  };
}

/** Names the boot of this machine: start times count from it, so they are unique only together with it. */
export function readBootId(): string {
  bootId ??= askForBootId();
  return bootId;
}

/** It cannot change while this process lives. */
let bootId: string | null = null;

function askForBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'boot';
  }
}

/** True if the process was started with this variable; false too when its environment may not be read. */
export async function hasEnvironmentEntry(pid: number, name: string, value: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`);
    const entry = Buffer.from(`${name}=${value}\0`);
    if (environment.subarray(0, entry.length).equals(entry)) return true;
    return environment.includes(Buffer.concat([Buffer.of(0), entry]));
  } catch {
    return false;
  }
}
