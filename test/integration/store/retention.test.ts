import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Journal } from '../../../src/store/journal.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { journalFixture, waitUntil } from './fixture.ts';
import { sampleEvent, sampleRecord, sampleRun } from './record-fixtures.ts';

const fixture = journalFixture();
const DAY_MS = 86_400_000;

function runsFolder(): string {
  return join(dirname(fixture.path), 'runs');
}

async function endRun(journal: Journal, runId: string, endedAt: number): Promise<void> {
  journal.appendRunEvent(runId, endedAt, { type: 'phase', phase: 'Finishing', detail: null });
  journal.appendEvent(sampleEvent({ at: endedAt, runId }));
  journal.recordAction({ at: endedAt, by: 'cli', action: 'retry', issueId: 'id-1', detail: runId });
  journal.recordRun(sampleRun({ runId, endedAt }));
  await journal.runEvents(runId);
}

describe('what is kept', () => {
  it('a forgotten record of an issue is gone for good, and only that one', async () => {
    const first = await fixture.open();
    first.saveRecord(sampleRecord({ issueId: 'gone' }));
    first.saveRecord(sampleRecord({ issueId: 'stays' }));
    first.forgetRecord('gone');
    expect(first.loadRecords().map(({ issueId }) => issueId)).toEqual(['stays']);
    await first.close();
    const second = await fixture.open();
    expect(second.loadRecords().map(({ issueId }) => issueId)).toEqual(['stays']);
    await second.close();
  });

  it('is bounded by age when the journal is opened; records of issues stay', async () => {
    const now = Date.now();
    const first = await fixture.open({ retention: () => ({ keepDays: 0 }) });
    first.saveRecord(sampleRecord());
    await endRun(first, 'old', now - 31 * DAY_MS);
    await endRun(first, 'new', now - 29 * DAY_MS);
    await first.close();
    writeFileSync(join(runsFolder(), 'crashed.jsonl'), '');
    utimesSync(join(runsFolder(), 'crashed.jsonl'), 0, (now - 40 * DAY_MS) / 1000);
    writeFileSync(join(runsFolder(), 'notes.txt'), 'not ours');
    utimesSync(join(runsFolder(), 'notes.txt'), 0, 0);
    writeFileSync(join(runsFolder(), 'live.jsonl'), '');

    const second = await fixture.open({ retention: () => ({ keepDays: 30 }) });
    expect(second.recentRuns(10).map((run) => run.runId)).toEqual(['new']);
    expect(second.recentEvents(10).map((event) => event.runId)).toEqual(['new']);
    expect(second.listActions(10).map((action) => action.detail)).toEqual(['new']);
    expect(second.findRun('old')).toEqual({ kind: 'none' });
    expect(second.loadRecords()).toHaveLength(1);
    const gone = ['crashed.jsonl', 'old.jsonl'].map((name) => join(runsFolder(), name));
    await waitUntil('old timelines are gone', () => !gone.some((path) => existsSync(path)));
    expect(readdirSync(runsFolder()).sort()).toEqual(['live.jsonl', 'new.jsonl', 'notes.txt']);
  });

  it('is bounded by count, and looked at again daily with the limits then in force', async () => {
    const clock = new VirtualClock();
    let maxRuns = 100;
    const journal = await fixture.open({ clock, retention: () => ({ keepDays: 0, maxRuns }) });
    for (let index = 0; index < 5; index += 1) await endRun(journal, `r-${index}`, clock.now() + index);
    maxRuns = 2;
    const end = clock.now() + DAY_MS;
    while (clock.step(end)) await journal.runEvents('none');
    expect(journal.recentRuns(10).map((run) => run.runId)).toEqual(['r-4', 'r-3']);
    await waitUntil('files are gone', () => readdirSync(runsFolder()).length === 2);
    expect(readdirSync(runsFolder()).sort()).toEqual(['r-3.jsonl', 'r-4.jsonl']);
  });

  it('a folder that cannot be pruned stops nothing', async () => {
    mkdirSync(dirname(fixture.path), { recursive: true });
    writeFileSync(runsFolder(), 'in the way');
    const journal = await fixture.open();
    await waitUntil('the trouble is logged', () => fixture.log.length > 0);
    expect(fixture.log[0]).toMatchObject({
      level: 'warn',
      message: 'old run timelines could not be removed',
    });
    journal.saveRecord(sampleRecord());
    expect(journal.status.ok).toBe(true);
  });
});
