import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncateSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { openJournalReader } from '../../../src/store/sqlite/journal-reader.ts';
import { bundledProgram } from './bundled-program.ts';
import { journalFixture } from './fixture.ts';

const fixture = journalFixture();
const program = bundledProgram('asked-journal.ts');

it('a worker outlives whoever cuts off what SQLite keeps beside its journal, and loses nothing', async () => {
  const { path } = fixture;
  const child = spawn(process.execPath, [program.path, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const write = async (): Promise<unknown> => {
    child.stdin.write('go on\n');
    return (await Promise.race([once(lines, 'line'), exited]))[0];
  };
  expect(await write()).toBe('1 well');
  for (let count = 2; count <= 6; count += 1) {
    truncateSync(`${path}-shm`, count % 2 === 0 ? 0 : 4_096);
    expect(await write()).toBe(`${count} well`);
  }
  truncateSync(`${path}-shm`, 0);
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
  const reader = await openJournalReader(path);
  expect(
    reader
      .loadRecords()
      .map(({ runs }) => runs)
      .sort(),
  ).toEqual([1, 2, 3, 4, 5, 6]);
  await reader.close();
});
