import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrate, SCHEMA_VERSION } from '../../../src/store/sqlite/migrations.ts';
import { loadSqlite, type SqlDatabase } from '../../../src/store/sqlite/open-database.ts';
import { journalFixture } from './fixture.ts';
import { sampleEvent, sampleRecord, sampleRun, T0 } from './record-fixtures.ts';

const fixture = journalFixture();

/** As payloads were before it was kept which agent and profile ran. */
function oldPayload(value: object): string {
  return JSON.stringify(value, (key, inner) => (key === 'profile' ? undefined : inner));
}

/** A journal as schema 1 had it: no scopes, no operator actions, no transcripts. */
async function buildVersion1(): Promise<SqlDatabase> {
  mkdirSync(dirname(fixture.path), { recursive: true });
  const open = await loadSqlite();
  const database = open(fixture.path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE records (issue_id TEXT PRIMARY KEY, identifier TEXT NOT NULL, saved_at INTEGER NOT NULL,
      payload TEXT NOT NULL) STRICT;
    CREATE TABLE runs (run_id TEXT PRIMARY KEY, issue_id TEXT NOT NULL, identifier TEXT NOT NULL,
      ended_at INTEGER NOT NULL, payload TEXT NOT NULL) STRICT;
    CREATE INDEX runs_by_end ON runs (ended_at);
    CREATE TABLE events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, payload TEXT NOT NULL) STRICT;
    CREATE INDEX events_by_time ON events (at);
    PRAGMA application_id = ${0x61696f70};
    PRAGMA user_version = 1;`);
  const record = sampleRecord();
  database
    .prepare('INSERT INTO records VALUES (?, ?, ?, ?)')
    .run(record.issueId, record.identifier, T0, oldPayload(record));
  const { runner: _, ...run } = sampleRun({ endedAt: Date.now() });
  database
    .prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?)')
    .run(run.runId, run.issueId, run.identifier, run.endedAt, oldPayload(run));
  const event = sampleEvent({ at: Date.now() });
  database.prepare('INSERT INTO events VALUES (1, ?, ?)').run(event.at, JSON.stringify(event));
  return database;
}

function versionOf(database: SqlDatabase): unknown {
  return Object.values(database.prepare('PRAGMA user_version').get() as object)[0];
}

describe('a journal of schema 1', () => {
  it('is brought up to date with everything in it', async () => {
    (await buildVersion1()).close();
    const journal = await fixture.open({ scope: 'local:issues' });
    expect(journal.status.problem).toBeNull();
    expect(journal.loadRecords()).toEqual([sampleRecord()]);
    expect(journal.recentRuns(5)).toMatchObject([{ runId: 'r1-1', runner: null, profile: null }]);
    expect(journal.runsOfIssue('eng-1')).toHaveLength(1);
    expect(journal.recentEvents(5).map((event) => event.message)).toEqual(['run started']);
    journal.saveRecord(sampleRecord({ runs: 12 }));
    journal.recordAction({ at: T0, by: 'cli', action: 'pause', issueId: null, detail: null });
    await journal.close();

    const again = await fixture.open({ scope: 'local:issues' });
    expect(again.loadRecords().map((record) => record.runs)).toEqual([12]);
    expect(again.listActions(5)).toHaveLength(1);
  });

  it('stays whole when a step fails half-way', async () => {
    const database = await buildVersion1();
    // Takes the name of an index that the second step makes near its end.
    database.exec('CREATE TABLE actions_by_time (id TEXT)');
    expect(() => migrate(database)).toThrow(/actions_by_time/);
    expect(versionOf(database)).toBe(1);
    expect(database.prepare('SELECT issue_id FROM records').all()).toHaveLength(1);

    database.exec('DROP TABLE actions_by_time');
    expect(migrate(database)).toBe(1);
    expect(versionOf(database)).toBe(SCHEMA_VERSION);
    expect(migrate(database)).toBe(SCHEMA_VERSION);
    database.close();
  });
});
