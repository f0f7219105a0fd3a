import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { journalFixture } from './fixture.ts';
import { EVERY_RUN_EVENT, sampleEvent, sampleRecord, sampleRun, T0 } from './record-fixtures.ts';

const fixture = journalFixture();

describe('a journal across lives', () => {
  it('gives back records, runs, events and actions as they were', async () => {
    const first = await fixture.open();
    const retrying = sampleRecord({
      issueId: 'id-2',
      identifier: 'ENG-2',
      claim: {
        phase: 'retrying',
        issue: sampleRecord().claim?.issue ?? never(),
        kind: 'quota_backoff',
        attempt: 3,
        dueAt: T0 + 5000,
        error: 'quota',
        answer: 'Blue.',
      },
    });
    first.saveRecord(sampleRecord({ runs: 1 }));
    first.saveRecord(sampleRecord());
    first.saveRecord(retrying);
    first.recordRun(sampleRun());
    first.recordRun(sampleRun({ runId: 'r1-2', endedAt: T0 + 100_000, costUsd: null }));
    first.appendEvent(sampleEvent());
    first.appendEvent(sampleEvent({ kind: 'completed', at: T0 + 1 }));
    first.recordAction({ at: T0, by: 'api', action: 'stop', issueId: 'id-1', detail: null });
    await first.close();

    const second = await fixture.open();
    expect(second.loadRecords()).toEqual([sampleRecord(), retrying]);
    expect(second.recentRuns(10)).toEqual([
      sampleRun({ runId: 'r1-2', endedAt: T0 + 100_000, costUsd: null }),
      sampleRun(),
    ]);
    expect(second.recentRuns(1).map((run) => run.runId)).toEqual(['r1-2']);
    expect(second.recentEvents(10).map((event) => event.kind)).toEqual(['completed', 'running']);
    expect(second.listActions(10)).toEqual([
      { id: expect.any(String), at: T0, by: 'api', action: 'stop', issueId: 'id-1', detail: null },
    ]);
    expect(second.status).toEqual({ path: fixture.path, ok: true, problem: null });
    expect(fixture.log).toEqual([]);
  });

  it('gives back every kind of run event, in order and in pages', async () => {
    const first = await fixture.open();
    EVERY_RUN_EVENT.forEach((event, index) => {
      first.appendRunEvent('r1-1', T0 + index, event);
    });
    await first.close();

    const second = await fixture.open();
    const all = await second.runEvents('r1-1');
    expect(all.entries.map((entry) => entry.event)).toEqual(EVERY_RUN_EVENT);
    expect(all.entries.map((entry) => entry.seq)).toEqual(EVERY_RUN_EVENT.map((_, index) => index + 1));
    expect(all).toMatchObject({ next: null, unreadable: 0 });

    const page = await second.runEvents('r1-1', { after: 2, limit: 3 });
    expect(page.entries.map((entry) => entry.seq)).toEqual([3, 4, 5]);
    expect(page.next).toBe(5);
    const left = EVERY_RUN_EVENT.length - 5;
    const rest = await second.runEvents('r1-1', { after: 5, limit: left });
    expect(rest.entries).toHaveLength(left);
    expect(rest.next).toBeNull();
    expect((await second.runEvents('r9-9')).entries).toEqual([]);
  });

  it('finds runs by id, by the beginning of one, and by issue', async () => {
    const journal = await fixture.open();
    journal.recordRun(sampleRun({ runId: 'abc-1' }));
    journal.recordRun(sampleRun({ runId: 'abc-10', issueId: '77', identifier: 'ENG-7' }));
    journal.appendEvent(sampleEvent({ runId: 'live-1', identifier: 'ENG-3' }));
    journal.appendRunEvent('live-1', T0, EVERY_RUN_EVENT[0] ?? never());

    expect(journal.findRun('abc-1')).toMatchObject({ kind: 'found', run: { runId: 'abc-1' } });
    expect(journal.findRun('abc')).toEqual({ kind: 'ambiguous', runIds: ['abc-1', 'abc-10'] });
    expect(journal.findRun('')).toEqual({ kind: 'none' });
    expect(journal.findRun('%')).toEqual({ kind: 'none' });
    await journal.runEvents('live-1');
    expect(journal.findRun('liv')).toEqual({
      kind: 'found',
      run: {
        runId: 'live-1',
        identifier: 'ENG-3',
        ended: null,
        transcript: { firstAt: T0, lastAt: T0, events: 1, dropped: 0, bytes: expect.any(Number) },
      },
    });
    expect(journal.runsOfIssue('eng-7').map((run) => run.runId)).toEqual(['abc-10']);
    expect(journal.runsOfIssue('77').map((run) => run.runId)).toEqual(['abc-10']);
    expect(journal.runsOfIssue("' OR 1=1 --")).toEqual([]);
  });

  it('keeps the records of several tracker scopes in one file apart', async () => {
    const gitea = await fixture.open({ scope: 'gitea:acme/app' });
    const github = await fixture.open({ scope: 'github:acme/app' });
    gitea.saveRecord(sampleRecord({ issueId: '12', runs: 1 }));
    github.saveRecord(sampleRecord({ issueId: '12', runs: 8 }));
    gitea.recordRun(sampleRun({ runId: 'a-1' }));
    await gitea.close();
    await github.close();

    const again = await fixture.open({ scope: 'gitea:acme/app' });
    expect(again.loadRecords().map((record) => record.runs)).toEqual([1]);
    expect(again.recentRuns(10)).toHaveLength(1);
    const other = await fixture.open({ scope: 'github:acme/app' });
    expect(other.loadRecords().map((record) => record.runs)).toEqual([8]);
    expect(other.recentRuns(10)).toEqual([]);
  });

  it('is readable by its owner only', async () => {
    const journal = await fixture.open();
    journal.saveRecord(sampleRecord());
    journal.appendRunEvent('r1-1', T0, EVERY_RUN_EVENT[0] ?? never());
    await journal.runEvents('r1-1');
    const runs = `${fixture.folder}/.aiops/runs`;
    for (const path of [fixture.path, `${fixture.path}-wal`, `${runs}/r1-1.jsonl`]) {
      expect(statSync(path).mode & 0o077, path).toBe(0);
    }
    expect(statSync(runs).mode & 0o077).toBe(0);
  });

  it('does nothing, and throws nothing, once closed', async () => {
    const journal = await fixture.open();
    await journal.close();
    journal.saveRecord(sampleRecord());
    journal.appendEvent(sampleEvent());
    journal.appendRunEvent('r1-1', T0, EVERY_RUN_EVENT[0] ?? never());
    expect(journal.recentRuns(5)).toEqual([]);
    await journal.close();
  });
});

function never(): never {
  throw new Error('sample is missing');
}
