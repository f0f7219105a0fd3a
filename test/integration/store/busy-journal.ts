import { writeSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { setTimeout as delay, setImmediate as nextTick } from 'node:timers/promises';
import { silentLogger } from '../../../src/observability/logger.ts';
import { openJournal } from '../../../src/store/sqlite/sqlite-journal.ts';
import { sampleEvent, sampleRecord, sampleRun } from './record-fixtures.ts';

/**
 * Writes to a journal without end: `node program path life`. After each call has returned it says so on standard
 * output: `record <issue> <count>`, `run <id>`, `action <id>`, `event <number> <time>`, `step <number> <time>`. Beside it,
 * an append to another file takes place four times a second: `append <time>` tells how fast the machine lets that be.
 */
const APPEND_EVERY_MS = 250;

const [path = '', life = ''] = process.argv.slice(2);
const journal = await openJournal({ path, logger: silentLogger });
if (journal.status.problem !== null) say(`problem ${journal.status.problem}`);
const before = new Map(journal.loadRecords().map((record) => [record.issueId, record.runs]));

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

async function appendBeside(): Promise<void> {
  for (;;) {
    await delay(APPEND_EVERY_MS);
    await appendFile(`${path}.beside`, 'x'.repeat(10_000));
    say(`append ${Date.now()}`);
  }
}

say(`append ${Date.now()}`);
void appendBeside();
for (let count = 1; ; count += 1) {
  const issueId = `issue-${count % 7}`;
  const runs = (before.get(issueId) ?? 0) + 1;
  journal.saveRecord(sampleRecord({ issueId, runs }));
  before.set(issueId, runs);
  say(`record ${issueId} ${runs}`);

  const runId = `${life}-${count}`;
  const now = Date.now();
  journal.appendEvent(sampleEvent({ at: now, runId, message: `${life} ${count}` }));
  say(`event ${count} ${now}`);
  const text = `step ${count} `.repeat(20);
  journal.appendRunEvent(life, now, { type: 'agent', event: { type: 'activity', kind: 'message', text } });
  say(`step ${count} ${now}`);

  journal.recordRun(sampleRun({ runId, issueId, endedAt: now }));
  say(`run ${runId}`);
  if (count % 5 === 0) {
    journal.recordAction({ at: now, by: life, action: 'pause', issueId, detail: runId });
    say(`action ${runId}`);
  }
  await nextTick();
}
