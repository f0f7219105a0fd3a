import { existsSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listJournals, scopeJournalPathOf } from '../../../src/store/journal-path.ts';
import { chooseJournal } from '../../../src/store/locks/choose-journal.ts';
import { acquireWorkerLock } from '../../../src/store/locks/worker-lock.ts';
import { openRootReader } from '../../../src/store/sqlite/journal-reader.ts';
import { journalFixture } from './fixture.ts';
import { sampleEvent, sampleRecord, sampleRun } from './record-fixtures.ts';

const fixture = journalFixture();
const [GITEA, GITHUB] = ['gitea:acme/app', 'github:acme/app'];

function lock(scope: string) {
  return acquireWorkerLock({ root: fixture.folder, scope, workflowPath: `${scope}.md` });
}

it('a worker beside another one of its root goes on in a journal of its own, with all it knew, and keeps it', async () => {
  const { folder, path } = fixture;
  const both = await fixture.open({ scope: GITHUB });
  both.saveRecord(sampleRecord({ issueId: '12', runs: 8 }));
  both.recordRun(sampleRun({ runId: 'old-1', endedAt: Date.now() - 5_000 }));
  await both.close();

  const first = await lock(GITEA);
  expect(await chooseJournal(folder, GITEA)).toBe(path);
  const gitea = await fixture.open({ scope: GITEA });
  gitea.saveRecord(sampleRecord({ issueId: '12', runs: 1 }));
  gitea.recordRun(sampleRun({ runId: 'a-1', endedAt: Date.now() }));

  const second = await lock(GITHUB);
  const own = await chooseJournal(folder, GITHUB);
  expect(own).toBe(scopeJournalPathOf(folder, GITHUB));
  expect(statSync(own).mode & 0o077).toBe(0);
  const github = await fixture.open({ scope: GITHUB, path: own });
  expect(github.status).toEqual({ path: own, ok: true, problem: null });
  expect(github.loadRecords().map(({ runs }) => runs)).toEqual([8]);
  github.saveRecord(sampleRecord({ issueId: '12', runs: 9 }));
  github.recordRun(sampleRun({ runId: 'b-1', endedAt: Date.now() + 1 }));
  github.appendEvent(sampleEvent({ runId: 'b-2', identifier: 'ENG-3' }));
  github.recentEvents(1);

  const reader = await openRootReader(folder);
  expect(reader.recentRuns(10).map(({ runId }) => runId)).toEqual(['b-1', 'a-1', 'old-1']);
  expect(reader.findRun('b-2')).toMatchObject({ kind: 'found', run: { identifier: 'ENG-3' } });
  await reader.close();
  for (const [scope, runs] of [
    [GITEA, 1],
    [GITHUB, 9],
  ] as const) {
    const own = await openRootReader(folder, scope);
    expect(own.loadRecords().map((record) => record.runs)).toEqual([runs]);
    await own.close();
  }
  await gitea.close();
  await first.release();
  expect(await chooseJournal(folder, GITHUB), 'it stays there when the other is gone').toBe(own);
  await second.release();
});

it('a worker alone, or after one that died, uses the journal of the root; looking makes none', async () => {
  const { folder, path } = fixture;
  await expect(openRootReader(folder)).rejects.toMatchObject({ code: 'journal_unreadable' });
  const first = await lock(GITEA);
  await first.release();
  const second = await lock(GITHUB);
  expect(await chooseJournal(folder, GITHUB)).toBe(path);
  expect(existsSync(path)).toBe(false);
  expect(listJournals(folder)).toEqual([]);
  await second.release();
});
