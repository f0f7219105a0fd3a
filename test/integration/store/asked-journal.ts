import { createInterface } from 'node:readline';
import { silentLogger } from '../../../src/observability/logger.ts';
import { openJournal } from '../../../src/store/sqlite/sqlite-journal.ts';
import { sampleRecord } from './record-fixtures.ts';

/** Writes one record to a journal for each line it is sent, and says `<number> <problem>` then: `node program path`. */
const [path = ''] = process.argv.slice(2);
const journal = await openJournal({ path, logger: silentLogger });
let count = 0;
for await (const _line of createInterface({ input: process.stdin })) {
  count += 1;
  journal.saveRecord(sampleRecord({ issueId: `issue-${count}`, runs: count }));
  process.stdout.write(`${count} ${journal.status.problem ?? 'well'}\n`);
}
await journal.close();
