import { readFileSync } from 'node:fs';

/** What of the process is in memory now, in MB; shared pages count. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
