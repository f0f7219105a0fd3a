import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { Fixture } from './fixture.ts';
import { waitFor } from './wait.ts';
import { launchWorker, openFixture, startWorker, type WorkerProcess } from './worker-fixture.ts';

/** As a mistake of ours would: outside of everything that catches, on a signal nobody else listens to. */
const FAULTS = `import { readFileSync } from 'node:fs';
process.on('SIGUSR2', () => {
  const error = new Error('an injected fault');
  if (readFileSync(process.env.FAULT_FILE, 'utf8') === 'reject') Promise.reject(error);
  else setImmediate(() => { throw error; });
});
`;

async function startFaulty(): Promise<{
  fixture: Fixture;
  worker: WorkerProcess;
  fault(kind: string): Promise<void>;
}> {
  const fixture = await openFixture();
  const preload = join(fixture.directory, 'faults.mjs');
  const file = join(fixture.directory, 'fault');
  await writeFile(preload, FAULTS);
  await fixture.writeIssue('FAULT-1', { mock: { behaviour: 'hang' } });
  const env = { ...fixture.env, NODE_OPTIONS: `--import=${pathToFileURL(preload)}`, FAULT_FILE: file };
  const worker = await launchWorker({ ...fixture, env }).ready;
  await worker.untilRunning('FAULT-1');
  const fault = async (kind: string): Promise<void> => {
    await writeFile(file, kind);
    worker.kill('SIGUSR2');
  };
  return { fixture, worker, fault };
}

const logged = (worker: WorkerProcess, message: RegExp) =>
  worker.log().filter(({ msg }) => typeof msg === 'string' && message.test(msg));

it('a rejection that nobody waited for is logged, and the worker goes on', async () => {
  const { fixture, worker, fault } = await startFaulty();
  await fault('reject');
  await waitFor('the fault is logged', () => logged(worker, /a fault was left unhandled/).length > 0);
  expect(JSON.stringify(logged(worker, /a fault was left unhandled/))).toContain('an injected fault');
  expect((await worker.client.state()).running).toHaveLength(1);
  expect(fixture.agents().length).toBeGreaterThan(0);
  expect(await worker.end('SIGTERM')).toMatchObject({ signal: null });
});

it('an exception ends what runs, saves it and exits, so that the next worker goes on from there', async () => {
  const { fixture, worker, fault } = await startFaulty();
  await fault('throw');
  expect(await worker.exited).toEqual({ code: 70, signal: null });
  expect(JSON.stringify(logged(worker, /a fault stops the worker/))).toContain('an injected fault');
  expect(fixture.agents()).toEqual([]);

  const next = await startWorker(fixture);
  const row = await next.untilRunning('FAULT-1');
  expect(logged(next, /left by an earlier worker|journal/)).toEqual([]);
  // The journal knows of the run before: it is no first one.
  expect(row.retry_attempt ?? 0).toBeGreaterThan(0);
});
