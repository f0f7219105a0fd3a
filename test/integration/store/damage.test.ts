import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCopy } from '../../../src/store/sqlite/journal-copy.ts';
import { loadSqlite } from '../../../src/store/sqlite/open-database.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { journalFixture } from './fixture.ts';
import { EVERY_RUN_EVENT, sampleEvent, sampleRecord, sampleRun, T0 } from './record-fixtures.ts';

const fixture = journalFixture();

/** A closed journal with a few hundred rows, so that it has many pages. */
async function writeHistory(): Promise<void> {
  const journal = await fixture.open();
  for (let index = 0; index < 200; index += 1) {
    journal.saveRecord(sampleRecord({ issueId: `id-${index}`, identifier: `ENG-${index}` }));
    journal.recordRun(sampleRun({ runId: `r1-${index}`, endedAt: Date.now() + index }));
  }
  await journal.close();
}

function movedAside(): string[] {
  return readdirSync(dirname(fixture.path)).filter((name) =>
    /^journal\.sqlite\.corrupt-[0-9TZ]+$/.test(name),
  );
}

/** Saves through the journal, then reads the file with another connection. */
async function expectWritable(journal: Awaited<ReturnType<typeof fixture.open>>): Promise<void> {
  journal.saveRecord(sampleRecord({ issueId: 'proof' }));
  const open = await loadSqlite();
  const database = openCopy(fixture.path, open);
  expect(database.prepare(`SELECT issue_id FROM records WHERE issue_id = 'proof'`).all()).toHaveLength(1);
  database.close();
}

function overwrite(path: string, offset: number, bytes: Buffer): void {
  const content = readFileSync(path);
  bytes.copy(content, offset);
  writeFileSync(path, content);
}

describe('a damaged file', () => {
  const damages: readonly [string, () => void][] = [
    ['a broken header', () => overwrite(fixture.path, 0, Buffer.from('not sqlite at all'))],
    ['garbage', () => writeFileSync(fixture.path, 'garbage '.repeat(5000))],
    ['a truncated file', () => truncateSync(fixture.path, Math.floor(statSync(fixture.path).size / 2) + 100)],
    ['one byte', () => writeFileSync(fixture.path, 'x')],
  ];
  it.each(damages)('%s is moved aside, kept, and a new one is begun', async (_name, damage) => {
    await writeHistory();
    damage();
    const damaged = readFileSync(fixture.path);

    const journal = await fixture.open();
    expect(movedAside()).toHaveLength(1);
    expect(readFileSync(join(dirname(fixture.path), movedAside()[0] ?? '')).equals(damaged)).toBe(true);
    expect(journal.status.ok).toBe(true);
    expect(journal.status.problem).toContain('.corrupt-');
    expect(fixture.log.map((line) => line.message)).toContain('journal was damaged and has been moved aside');
    await expectWritable(journal);
  });

  it('gives back what can still be read from it', async () => {
    await writeHistory();
    const { size } = statSync(fixture.path);
    overwrite(fixture.path, size - 4096, Buffer.alloc(4096, 0xff));

    const journal = await fixture.open();
    expect(movedAside()).toHaveLength(1);
    expect(journal.loadRecords().length + journal.recentRuns(1000).length).toBeGreaterThan(100);
    expect(journal.status.problem).toMatch(/\d+ issue records and \d+ runs could be read back/);
  });

  it('an empty file is a new journal', async () => {
    mkdirSync(dirname(fixture.path), { recursive: true });
    writeFileSync(fixture.path, '');
    const journal = await fixture.open();
    expect(journal.status.problem).toBeNull();
    await expectWritable(journal);
  });

  it('that turns up while the worker runs costs no record of this life', async () => {
    const journal = await fixture.open();
    for (let index = 0; index < 200; index += 1) {
      journal.saveRecord(sampleRecord({ issueId: `id-${index}` }));
    }
    journal.recordRun(sampleRun());
    const open = await loadSqlite();
    const other = open(fixture.path);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    overwriteInPlace(fixture.path);

    for (let index = 0; index < 200; index += 1) {
      journal.saveRecord(sampleRecord({ issueId: `id-${index}`, runs: 9 }));
    }
    expect(movedAside().length).toBeGreaterThan(0);
    expect(journal.status).toMatchObject({ ok: true, problem: expect.stringContaining('.corrupt-') });
    await journal.close();

    const next = await fixture.open();
    expect(next.loadRecords()).toHaveLength(200);
    expect(next.loadRecords().every((record) => record.runs === 9)).toBe(true);
    expect(next.recentRuns(5)).toEqual([sampleRun()]);
  });

  it('of a row only costs that row, and is said', async () => {
    const first = await fixture.open();
    first.saveRecord(sampleRecord({ issueId: 'good' }));
    first.saveRecord(sampleRecord({ issueId: 'bad' }));
    first.saveRecord(sampleRecord({ issueId: 'worse' }));
    await first.close();
    const open = await loadSqlite();
    const database = open(fixture.path);
    database.exec(`UPDATE records SET payload = '{"issueId":"bad","identifier":4}' WHERE issue_id = 'bad'`);
    database.exec(`UPDATE records SET payload = '{"iss' WHERE issue_id = 'worse'`);
    database.close();

    const second = await fixture.open();
    expect(second.loadRecords().map((record) => record.issueId)).toEqual(['good']);
    expect(second.status.ok).toBe(true);
    expect(second.status.problem).toContain('2 row(s)');
    expect(second.status.problem).toContain('records bad');
    expect(fixture.log.filter((line) => line.level === 'warn')).toHaveLength(2);
  });

  it('of rows from other versions is none: fields may be added or missing', async () => {
    const first = await fixture.open();
    first.saveRecord(sampleRecord());
    await first.close();
    const open = await loadSqlite();
    const database = open(fixture.path);
    const payload = JSON.stringify({ issueId: 'id-1', identifier: 'ENG-1', runs: 4, fromTheFuture: [1] });
    database.prepare('UPDATE records SET payload = ?').run(payload);
    database.close();

    const [record] = (await fixture.open()).loadRecords();
    expect(record).toMatchObject({
      runs: 4,
      turns: 0,
      claim: null,
      lastOutcome: null,
      fromTheFuture: [1],
    });
    expect(record?.lifetime).toEqual({
      runs: 0,
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      runtimeMs: 0,
    });
  });
});

/** Spoils the pages of a live database without giving it a new inode. */
function overwriteInPlace(path: string): void {
  writeFileSync(path, Buffer.alloc(statSync(path).size, 0xee), { flag: 'r+' });
}

describe('a file that must not be touched', () => {
  it('of a newer version stays as it is; the worker goes on in memory', async () => {
    const first = await fixture.open();
    first.saveRecord(sampleRecord());
    await first.close();
    const open = await loadSqlite();
    const database = open(fixture.path);
    database.exec('CREATE TABLE invention (id TEXT); PRAGMA user_version = 99');
    database.close();
    const before = readFileSync(fixture.path);

    const journal = await fixture.open();
    journal.saveRecord(sampleRecord({ issueId: 'now' }));
    journal.recordRun(sampleRun());
    journal.appendEvent(sampleEvent());
    expect(journal.loadRecords().map((record) => record.issueId)).toEqual(['now']);
    expect(journal.recentRuns(5)).toEqual([sampleRun()]);
    expect(journal.recentEvents(5)).toEqual([sampleEvent()]);
    expect(journal.status.ok).toBe(false);
    expect(journal.status.problem).toMatch(/schema 99.*newer version/);
    await journal.close();
    expect(readFileSync(fixture.path).equals(before)).toBe(true);
    expect(movedAside()).toEqual([]);
  });

  it('of another program stays as it is', async () => {
    mkdirSync(dirname(fixture.path), { recursive: true });
    const open = await loadSqlite();
    const database = open(fixture.path);
    database.exec('CREATE TABLE recipes (id TEXT)');
    database.close();
    const before = readFileSync(fixture.path);
    const journal = await fixture.open();
    expect(journal.status.problem).toContain('another program');
    await journal.close();
    expect(readFileSync(fixture.path).equals(before)).toBe(true);
  });
});

describe('a file that goes away', () => {
  it('is made anew with everything this life remembers', async () => {
    const first = await fixture.open();
    first.saveRecord(sampleRecord({ issueId: 'old' }));
    await first.close();

    const journal = await fixture.open();
    journal.saveRecord(sampleRecord({ issueId: 'mine' }));
    journal.recordRun(sampleRun());
    journal.recordAction({ at: T0, by: 'cli', action: 'pause', issueId: null, detail: null });
    rmSync(dirname(fixture.path), { recursive: true });

    journal.recordRun(sampleRun({ runId: 'r1-2', endedAt: Date.now() }));
    expect(existsSync(fixture.path)).toBe(true);
    expect(journal.status).toMatchObject({ ok: true, problem: expect.stringContaining('was removed') });
    journal.appendRunEvent(
      'r1-3',
      T0,
      EVERY_RUN_EVENT[0] ?? { type: 'phase', phase: 'Finishing', detail: null },
    );
    await journal.close();

    const next = await fixture.open();
    expect(
      next
        .loadRecords()
        .map((record) => record.issueId)
        .sort(),
    ).toEqual(['mine', 'old']);
    expect(next.recentRuns(5).map((run) => run.runId)).toEqual(['r1-2', 'r1-1']);
    expect(next.listActions(5)).toHaveLength(1);
    expect((await next.runEvents('r1-3')).entries).toHaveLength(1);
  });

  it('cannot be opened while a folder has its name, and is used once that is gone', async () => {
    mkdirSync(fixture.path, { recursive: true });
    const clock = new VirtualClock();
    const journal = await fixture.open({ clock });
    journal.saveRecord(sampleRecord());
    expect(journal.status.ok).toBe(false);
    expect(journal.status.problem).toContain('not a file');
    expect(journal.loadRecords()).toHaveLength(1);

    rmSync(fixture.path, { recursive: true });
    clock.step(clock.now() + 2000);
    expect(journal.status).toEqual({ path: fixture.path, ok: true, problem: null });
    await expectWritable(journal);
    await journal.close();
    const next = await fixture.open();
    expect(next.loadRecords()).toHaveLength(2);
  });

  it('cannot be made under a file, and is retried at a slowing pace', async () => {
    writeFileSync(dirname(fixture.path), 'in the way');
    const clock = new VirtualClock();
    const journal = await fixture.open({ clock });
    journal.saveRecord(sampleRecord());
    journal.appendEvent(sampleEvent());
    const begin = clock.now();
    let steps = 0;
    while (clock.step(begin + 600_000)) steps += 1;
    expect(journal.status.ok).toBe(false);
    expect(fixture.log.filter((line) => line.level === 'error')).toHaveLength(1);
    expect(steps).toBeLessThan(700);

    rmSync(dirname(fixture.path));
    await journal.close();
    expect((await fixture.open()).loadRecords()).toHaveLength(1);
  });
});
