import { readLinuxRow, readLinuxTable } from './proc-linux.ts';
import type { ProcessRow } from './process-row.ts';
import { readPsRow, readPsTable } from './ps-table.ts';

/** Every process that can be seen, zombies included. */
export async function readProcessTable(): Promise<ProcessRow[]> {
  return process.platform === 'linux' ? readLinuxTable() : readPsTable();
}

export async function readProcessRow(pid: number): Promise<ProcessRow | null> {
  return process.platform === 'linux' ? readLinuxRow(pid) : readPsRow(pid);
}
