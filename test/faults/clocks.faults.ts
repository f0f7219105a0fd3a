import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { StateSnapshot } from '../../src/contract/state.ts';
import type { Fixture } from '../e2e/cli/fixture.ts';
import { openFixture, startWorker, type WorkerProcess } from '../e2e/cli/worker-fixture.ts';

/** Limits as a real workflow has them, scaled down: real agents talk every few seconds, these every 100 ms. */
const STALL_MS = 10_000;
const RUNTIME_S = 60;
const LIMITS = {
  codex: { stall_timeout_ms: STALL_MS, turn_timeout_ms: STALL_MS },
  agent: {
    default: 'mock',
    max_retry_backoff_ms: 2_000,
    budgets: { issue: { runtime_seconds: RUNTIME_S }, run: { runtime_seconds: RUNTIME_S } },
  },
};
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const TALKING = { behaviour: 'turns', turns: 4, step_ms: 100 } as const;

interface SettableClock {
  readonly fixture: Fixture;
  set(ms: number): void;
  sleep(ms: number): void;
}

/** A fixture whose workers have a clock that the test sets. */
async function openClockFixture(): Promise<SettableClock> {
  const plain = await openFixture(LIMITS);
  const file = join(plain.directory, 'clock.json');
  const moved = { set: 0, slept: 0 };
  const write = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(moved));
    renameSync(`${file}.new`, file);
  };
  write();
  const preload = pathToFileURL(fileURLToPath(new URL('settable-clock.mjs', import.meta.url))).href;
  return {
    fixture: { ...plain, env: { ...plain.env, FAULT_CLOCK: file, NODE_OPTIONS: `--import ${preload}` } },
    set(ms) {
      moved.set += ms;
      write();
    },
    sleep(ms) {
      moved.slept += ms;
      write();
    },
  };
}

/** Ends of the issue's runs so far, the oldest first. */
function endsOf({ ended }: StateSnapshot, id: string): StateSnapshot['ended'] {
  return ended.filter(({ issue_identifier }) => issue_identifier === id).toReversed();
}

async function delivered(worker: WorkerProcess, id: string): Promise<void> {
  const ends = await worker.until(`${id} is delivered`, (state) => {
    const found = endsOf(state, id);
    return found.some(({ outcome }) => outcome === 'delivered') ? found : null;
  });
  const wronged = ends.filter(({ outcome }) => outcome === 'stalled' || outcome === 'blocked');
  expect(wronged.map(({ outcome, summary }) => `${outcome}: ${summary}`)).toEqual([]);
  for (const { runtime_seconds } of ends) expect(runtime_seconds).toBeLessThan(RUNTIME_S);
}

function told(worker: WorkerProcess): string[] {
  return worker
    .log()
    .filter(({ event }) => event === 'clock_moved')
    .map(({ detail }) => String(detail));
}

const talks = ({ turn_count, last_message }: { turn_count: number; last_message: string }): boolean =>
  turn_count >= 2 && last_message !== '';

test('clock jumps of ±1 h and ±1 day, each in the middle of a run: nobody is ended or charged', async () => {
  const clock = await openClockFixture();
  const worker = await startWorker(clock.fixture);
  const jumps = [HOUR, -HOUR, 24 * HOUR, -24 * HOUR];
  for (const [n, jump] of jumps.entries()) {
    const id = `JUMP-${n}`;
    await clock.fixture.writeIssue(id, { mock: TALKING });
    await worker.untilRunning(id, talks);
    clock.set(jump);
    await delivered(worker, id);
  }
  expect(told(worker)).toEqual([
    'the clock was set forward by 60 min; waits and limits keep their length',
    'the clock was set back by 60 min; waits and limits keep their length',
    'the clock was set forward by 24 h 0 min; waits and limits keep their length',
    'the clock was set back by 24 h 0 min; waits and limits keep their length',
  ]);
  const { running, spending } = await worker.client.state();
  expect(running).toEqual([]);
  expect(spending.worker.runtime_seconds).toBeLessThan(RUNTIME_S);
});

test('a retry of 2 s is not held for an hour by a clock that is set back, nor across a restart', async () => {
  const clock = await openClockFixture();
  const first = await startWorker(clock.fixture);
  await clock.fixture.writeIssue('WAIT-1', { mock: { behaviour: 'fail', times: 2, step_ms: 50 } });
  const waits = (worker: WorkerProcess): Promise<unknown> =>
    worker.until('WAIT-1 waits', ({ retrying }) => retrying.length > 0);
  await waits(first);
  clock.set(-HOUR);
  await first.until('it is tried again', (state) => endsOf(state, 'WAIT-1').length >= 2);
  await waits(first);
  await first.end('SIGKILL');
  clock.set(-24 * HOUR);
  const second = await startWorker(clock.fixture);
  await delivered(second, 'WAIT-1');
});

test.each([10 * SECOND, 600 * SECOND, HOUR])('a sleep of %i ms is nobody’s', async (ms) => {
  const clock = await openClockFixture();
  const worker = await startWorker(clock.fixture);
  await clock.fixture.writeIssue('SLEEP-1', { mock: TALKING });
  await clock.fixture.writeIssue('SLEEP-2', { mock: { behaviour: 'fail', step_ms: 50 } });
  await worker.untilRunning('SLEEP-1', talks);
  clock.sleep(ms);
  await delivered(worker, 'SLEEP-1');
  await worker.until('SLEEP-2 is delivered', (state) =>
    endsOf(state, 'SLEEP-2').some(({ outcome }) => outcome === 'delivered'),
  );
  expect(told(worker)).toHaveLength(1);
  expect(told(worker)[0]).toMatch(/^the machine slept or stood still for (10 s|10 min|60 min)/);
});

test('a worker that is stopped for longer than every limit ends no agent that talked meanwhile', async () => {
  const fixture = await openFixture(LIMITS);
  const worker = await startWorker(fixture);
  onTestFinished(() => worker.kill('SIGCONT'));
  for (const id of ['STOP-1', 'STOP-2']) {
    await fixture.writeIssue(id, { mock: { behaviour: 'turns', turns: 10, step_ms: 150 } });
    await worker.untilRunning(id, talks);
    worker.kill('SIGSTOP');
    await delay(1.3 * STALL_MS);
    worker.kill('SIGCONT');
    await delivered(worker, id);
  }
  expect(told(worker)).toHaveLength(2);
});
