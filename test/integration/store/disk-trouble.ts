import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../src/observability/logger.ts';
import type { Journal, JournalStatus } from '../../../src/store/journal.ts';
import { openCopy } from '../../../src/store/sqlite/journal-copy.ts';
import { openJournalReader } from '../../../src/store/sqlite/journal-reader.ts';
import { loadSqlite } from '../../../src/store/sqlite/open-database.ts';
import { openJournal } from '../../../src/store/sqlite/sqlite-journal.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { sampleEvent, sampleRecord, sampleRun, T0 } from './record-fixtures.ts';

/**
 * Meets a disk that is full or read-only, on a small filesystem of its own: `node program full|read-only|look|write mount-point`.
 * Prints what the journal said and did as JSON.
 */
const [program = '', trouble = '', mountPoint = ''] = process.argv.slice(1);
const path = join(mountPoint, '.aiops', 'journal.sqlite');
const clock = new VirtualClock();
const open = await loadSqlite();

export interface TroubleReport {
  readonly during: JournalStatus;
  readonly remembered: number;
  readonly after: JournalStatus;
  readonly recordsOnDisk: number;
  readonly runsOnDisk: number;
  readonly timeline: number;
}

function countOnDisk(table: string): number {
  const database = openCopy(path, open);
  const rows = database.prepare(`SELECT 1 FROM ${table}`).all();
  database.close();
  return rows.length;
}

/** Takes all the space there is; returns how to give it back. */
function fillDisk(): () => void {
  const ballast = join(mountPoint, 'ballast');
  const file = openSync(ballast, 'w');
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch {
      // No room for another block of this size.
    }
  }
  closeSync(file);
  return () => rmSync(ballast);
}

function remount(option: string): void {
  const { status } = spawnSync('mount', ['-o', `remount,${option}`, mountPoint], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`could not remount ${option}`);
}

function write(journal: Journal): void {
  for (let index = 0; index < 50; index += 1) {
    journal.saveRecord(sampleRecord({ issueId: `id-${index}` }));
    journal.recordRun(sampleRun({ runId: `r1-${index}`, endedAt: clock.now() }));
    journal.appendEvent(sampleEvent({ at: clock.now() }));
    journal.appendRunEvent('r1-1', T0, { type: 'phase', phase: 'Finishing', detail: `step ${index}` });
  }
}

async function meet(breakDisk: () => () => void): Promise<TroubleReport> {
  const mendEarly = trouble === 'read-only' ? breakDisk() : null;
  const journal = await openJournal({ path, logger: silentLogger, clock });
  const mend = mendEarly ?? breakDisk();
  write(journal);
  await journal.runEvents('r1-1');
  const during = journal.status;
  const remembered = journal.loadRecords().length;
  mend();
  const end = clock.now() + 5000;
  while (clock.step(end)) await new Promise((resolve) => setImmediate(resolve));
  await journal.runEvents('r1-1');
  const after = journal.status;
  const { entries } = await journal.runEvents('r1-1');
  await journal.close();
  return {
    during,
    remembered,
    after,
    recordsOnDisk: countOnDisk('records'),
    runsOnDisk: countOnDisk('runs'),
    timeline: entries.length,
  };
}

/** A journal on a disk that may only be looked at, as a backup is. */
async function look(): Promise<{ runs: number; timeline: number }> {
  const { status } = spawnSync(process.execPath, [program, 'write', mountPoint], { stdio: 'inherit' });
  if (status !== 0) throw new Error('could not write a journal');
  remount('ro');
  const reader = await openJournalReader(path);
  const runs = reader.recentRuns(1000).length;
  const { entries } = await reader.runEvents('r1-1');
  await reader.close();
  return { runs, timeline: entries.length };
}

async function leaveJournal(): Promise<void> {
  const journal = await openJournal({ path, logger: silentLogger, clock });
  write(journal);
  await journal.close();
}

function makeReadOnly(): () => void {
  remount('ro');
  return () => remount('rw');
}

const acts: Readonly<Record<string, () => Promise<unknown>>> = {
  full: () => meet(fillDisk),
  'read-only': () => meet(makeReadOnly),
  write: leaveJournal,
  look,
};
const result = await acts[trouble]?.();
if (trouble !== 'write') process.stdout.write(JSON.stringify(result));
