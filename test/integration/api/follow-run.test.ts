import { describe, expect, it, onTestFinished } from 'vitest';
import { type FollowTimes, followRun } from '../../../src/cli/remote/follow-run.ts';
import { createClient } from '../../../src/contract/client.ts';
import type { TimelineEntry } from '../../../src/contract/runs.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import type { WorkerListener } from '../../../src/server/worker-port.ts';
import { startBufferingProxy } from '../../fakes/buffering-proxy.ts';
import { emptyState, richState, scriptedSource } from '../server/state-fixture.ts';

const RUN = richState(0).running[0]?.run_id ?? '';

/** A worker with one run that says what it is told to. */
async function openWorker() {
  const listeners = new Set<WorkerListener>();
  const entries: TimelineEntry[] = [];
  let live = true;
  let questions = 0;
  const source = scriptedSource({
    snapshot: () => ({ ...emptyState(0), running: live ? richState(0).running : [] }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async runEvents(run, { after }) {
      questions += 1;
      return {
        run_id: run,
        events: entries.filter(({ seq }) => seq > after),
        next: null,
        live,
        unreadable: 0,
      };
    },
  });
  const open = (port = 0): Promise<Listener> =>
    listen({ app: createApp(source, FAST), host: '127.0.0.1', port, logger: silentLogger });
  let listener = await open();
  onTestFinished(() => listener.close());
  return {
    get url() {
      return listener.url;
    },
    questions: () => questions,
    say(message: string, told = true) {
      const seq = entries.length + 1;
      const entry = { seq, at: new Date().toISOString(), kind: 'activity', message, detail: {} };
      entries.push(entry);
      const news = { type: 'run' as const, run_id: RUN, issue_identifier: 'X-1', entry };
      if (told) for (const each of listeners) each.runEvent(RUN, () => news);
    },
    end() {
      live = false;
      for (const each of listeners) each.changed();
    },
    goAway: () => listener.close(),
    async comeBack() {
      listener = await open(listener.port);
    },
  };
}

const FAST = { streamLimits: { flushMs: 5, heartbeatMs: 50 } };

function follow(baseUrl: string, times: Partial<FollowTimes>, after = 0) {
  const printed: string[] = [];
  const remarks: string[] = [];
  const done = followRun({
    client: createClient({ baseUrl, fetch }),
    connection: { baseUrl },
    run: RUN,
    after,
    print: (entries) => printed.push(...entries.map(({ message }) => message)),
    remark: (text) => remarks.push(text),
    signal: () => AbortSignal.timeout(60_000),
    times,
  });
  // A test that looks at the failure does so later.
  done.catch(() => {});
  return { printed, remarks, done };
}

describe('following a run', () => {
  it('prints what the stream brings, each entry once, and ends with the run', async () => {
    const worker = await openWorker();
    worker.say('printed already');
    worker.say('before the stream began');
    const { printed, remarks, done } = follow(worker.url, { ask: 60_000, silence: 60_000 }, 1);
    await expect.poll(() => printed).toEqual(['before the stream began']);
    const asked = worker.questions();
    for (let n = 1; n <= 20; n += 1) worker.say(`news ${n}`);
    await expect.poll(() => printed.at(-1)).toBe('news 20');
    expect(worker.questions()).toBe(asked);
    worker.say('the stream does not tell this', false);
    worker.say('but this');
    await expect.poll(() => printed.slice(-2)).toEqual(['the stream does not tell this', 'but this']);
    worker.end();
    await done;
    expect(printed).toHaveLength(23);
    expect(remarks).toEqual([]);
  });

  it.each(['hold', 'refuse'] as const)(
    'asks instead while a proxy does this to streams: %s',
    async (what) => {
      const worker = await openWorker();
      const proxy = await startBufferingProxy(() => worker.url, what);
      onTestFinished(() => proxy.close());
      const { printed, remarks, done } = follow(proxy.url, { ask: 20, silence: 100 });
      worker.say('one');
      await expect.poll(() => printed).toEqual(['one']);
      worker.say('two');
      await expect.poll(() => printed).toEqual(['one', 'two']);
      worker.end();
      await done;
      expect(remarks).toEqual([]);
    },
  );

  it('waits for a worker that restarts, and goes on where it was', async () => {
    const worker = await openWorker();
    const { printed, remarks, done } = follow(worker.url, { ask: 20 });
    worker.say('one');
    await expect.poll(() => printed).toEqual(['one']);
    await worker.goAway();
    await expect.poll(() => remarks).toEqual(['the worker does not answer, waiting for it']);
    worker.say('two', false);
    await worker.comeBack();
    await expect.poll(() => printed).toEqual(['one', 'two']);
    expect(remarks.at(-1)).toBe('the worker is back');
    worker.end();
    await done;
  });

  it('gives up on a worker that stays away', async () => {
    const worker = await openWorker();
    const { done } = follow(worker.url, { ask: 20, patience: 100 });
    await worker.goAway();
    await expect(done).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('ends with a worker that ends the run and itself', async () => {
    const worker = await openWorker();
    const { printed, remarks, done } = follow(worker.url, { ask: 20 });
    worker.say('one');
    await expect.poll(() => printed).toEqual(['one']);
    worker.say('last words');
    worker.end();
    await worker.goAway();
    await done;
    expect([printed, remarks]).toEqual([['one', 'last words'], []]);
  });

  it('gives up at once on a worker that refuses', async () => {
    const app = createApp(scriptedSource(), { token: 'dummy-token' });
    const listener = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger });
    onTestFinished(() => listener.close());
    await expect(follow(listener.url, { ask: 20 }).done).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
