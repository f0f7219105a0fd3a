import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A live process as the kernel shows it, read apart from the code under test. */
export interface LiveProcess {
  readonly pid: number;
  readonly parentPid: number;
  /** Ticks since boot; grows with every process started later. */
  readonly startedAt: number;
  readonly command: string;
  readonly cwd: string;
  readonly environment: ReadonlyMap<string, string>;
}

/** All live processes of this user that can be looked at; ended ones that nobody collected do not count. */
export function listProcesses(): readonly LiveProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

export function readProcess(pid: number): LiveProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return {
      pid,
      parentPid: Number(fields[1]),
      startedAt: Number(fields[19]),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
      cwd: readlinkSync(`/proc/${pid}/cwd`),
      environment: parseEnvironment(readFileSync(`/proc/${pid}/environ`, 'utf8')),
    };
  } catch {
    return null; // It ended meanwhile, or belongs to somebody else.
  }
}

export function isRunning(pid: number): boolean {
  return readProcess(pid) !== null;
}

/** The most memory the process ever had resident, in bytes. */
export function peakMemory(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no VmHWM`);
  return Number(kilobytes) * 1024;
}

function parseEnvironment(text: string): ReadonlyMap<string, string> {
  const entries = text.split('\0').filter((entry) => entry.includes('='));
  return new Map(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}
