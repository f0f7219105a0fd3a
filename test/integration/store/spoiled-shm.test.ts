import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openJournalReader } from '../../../src/store/sqlite/journal-reader.ts';
import { bundledProgram } from './bundled-program.ts';
import { journalFixture, waitUntil } from './fixture.ts';

const fixture = journalFixture();
const program = bundledProgram('busy-journal.ts');
const SPOIL = fileURLToPath(new URL('spoil-shm.mjs', import.meta.url));
const ROUNDS = 10;

function start(script: string, ...args: string[]): { child: ChildProcess; said: string[] } {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  if (child.stdout === null) throw new Error('the child has no output');
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  return { child, said };
}

it('a worker outlives whatever is done to the file SQLite might map beside its journal, and loses nothing', async () => {
  const { path } = fixture;
  const worker = start(program.path, path, 'live');
  await waitUntil('the worker writes', () => worker.said.some((line) => line.startsWith('run ')));
  const spoiler = start(SPOIL, path);
  onTestFinished(() => void spawnSync('chattr', ['-i', `${path}-shm`], { stdio: 'ignore' }));
  const saidBefore = worker.said.length;
  await waitUntil(
    'it was spoiled many times, and written to in between',
    () =>
      worker.child.exitCode !== null ||
      worker.child.signalCode !== null ||
      (spoiler.said.length >= ROUNDS && worker.said.length > saidBefore + 1_000),
    60_000,
  );
  expect(worker.child.signalCode, 'the worker lives').toBeNull();
  const reading = await openJournalReader(path);
  expect(reading.recentRuns(1), 'a reader gets along, too').toHaveLength(1);
  await reading.close();
  const spoilerEnd = once(spoiler.child, 'exit');
  spoiler.child.kill('SIGTERM');
  await spoilerEnd;
  const end = once(worker.child, 'close');
  worker.child.kill('SIGKILL');
  await end;

  const reader = await openJournalReader(path);
  const runs = new Set(reader.recentRuns(100_000).map(({ runId }) => runId));
  await reader.close();
  const acknowledged = worker.said.filter((line) => line.startsWith('run ')).map((line) => line.slice(4));
  expect(acknowledged.filter((id) => !runs.has(id))).toEqual([]);
  expect(worker.said.filter((line) => line.startsWith('problem'))).toEqual([]);
  const next = await fixture.open();
  expect(next.status).toMatchObject({ ok: true, problem: null });
});
