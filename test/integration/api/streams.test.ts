import { afterEach, describe, expect, it } from 'vitest';
import { followEvents } from '../../../src/contract/follow.ts';
import { reduce } from '../../../src/contract/reduce.ts';
import { createSseParser, type SseEvent } from '../../../src/contract/sse.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { type StreamMessage, streamMessageSchema } from '../../../src/contract/stream.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { listen } from '../../../src/server/listen/listen.ts';
import { EventHub } from '../../../src/server/stream/event-hub.ts';
import type { WorkerListener, WorkerPort } from '../../../src/server/worker-port.ts';
import { ask } from '../server/ask.ts';
import { emptyState, scriptedSource } from '../server/state-fixture.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A worker whose state is changed by hand. */
function movingSource() {
  const listeners = new Set<WorkerListener>();
  let state = emptyState(Date.now());
  const source: WorkerPort = scriptedSource({
    snapshot: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  let seq = 0;
  return {
    source,
    listeners,
    get state() {
      return state;
    },
    change(change: Partial<StateSnapshot>) {
      state = { ...state, ...change };
      for (const listener of listeners) listener.changed();
    },
    say(runId: string, message: string) {
      seq += 1;
      const entry = { seq, at: new Date().toISOString(), kind: 'activity', message, detail: {} };
      for (const listener of listeners)
        listener.runEvent(runId, () => ({ type: 'run', run_id: runId, issue_identifier: 'X-1', entry }));
    },
  };
}

interface Stream {
  readonly events: SseEvent[];
  readonly messages: StreamMessage[];
  /** Resolves when `count` messages other than heartbeats are there. */
  until(count: number): Promise<void>;
  readonly ended: Promise<void>;
  cancel(): Promise<void>;
}

async function open(app: App, path: string, headers: Record<string, string> = {}): Promise<Stream> {
  const response = await ask(app, path, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  if (response.body === null) throw new Error('no body');
  const events: SseEvent[] = [];
  const messages: StreamMessage[] = [];
  const waiting = new Set<() => void>();
  const parse = createSseParser((event) => {
    if (event.event === 'heartbeat') return;
    events.push(event);
    messages.push(streamMessageSchema.parse(JSON.parse(event.data)));
    for (const check of waiting) check();
  });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const ended = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parse(decoder.decode(part.value, { stream: true }));
    }
  })();
  const cancel = (): Promise<void> => reader.cancel();
  cleanups.push(cancel);
  return {
    events,
    messages,
    ended,
    cancel,
    until: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (messages.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

const FAST = { streamLimits: { flushMs: 5, heartbeatMs: 20 } };

describe('GET /api/v1/events', () => {
  it('sends the state, then what changes', async () => {
    const worker = movingSource();
    const stream = await open(createApp(worker.source, FAST), '/api/v1/events');
    await stream.until(1);
    worker.change({ paused: true });
    await stream.until(2);
    expect(stream.messages.map((message) => message.type)).toEqual(['state', 'patch']);
    const shown = stream.messages.reduce<StateSnapshot | null>(reduce, null);
    expect(shown).toEqual(worker.state);
  });

  it('sends run events only to those who asked for the run', async () => {
    const worker = movingSource();
    const app = createApp(worker.source, FAST);
    const [all, one, none] = await Promise.all([
      open(app, '/api/v1/events?runs=all'),
      open(app, '/api/v1/events?runs=a,c'),
      open(app, '/api/v1/events'),
    ]);
    worker.say('a', 'one');
    worker.say('b', 'two');
    worker.change({ paused: true });
    await Promise.all([all.until(4), one.until(3), none.until(2)]);
    const runs = ({ messages }: Stream) =>
      messages.flatMap((message) => (message.type === 'run' ? [message.run_id] : []));
    expect([runs(all), runs(one), runs(none)]).toEqual([['a', 'b'], ['a'], []]);
  });

  it('resumes after the last event a client saw', async () => {
    const worker = movingSource();
    const app = createApp(worker.source, FAST);
    const first = await open(app, '/api/v1/events?runs=all');
    worker.say('a', 'seen');
    await first.until(2);
    const last = first.events.at(-1)?.id ?? '';
    await first.cancel();
    worker.say('a', 'missed 1');
    worker.say('a', 'missed 2');
    worker.change({ paused: true });
    for (const [path, headers] of [
      ['/api/v1/events?runs=all', { 'Last-Event-ID': last }],
      [`/api/v1/events?runs=all&last_event_id=${last}`, {}],
    ] as const) {
      const second = await open(app, path, headers);
      await second.until(3);
      const texts = second.messages.map((m) => (m.type === 'run' ? m.entry.message : m.type));
      expect(texts).toEqual(['missed 1', 'missed 2', 'patch']);
    }
  });

  it.each(['', 'nonsense', '00000000-1', '-1', `${'9'.repeat(300)}`])(
    'sends the whole state after an id it does not know: %.20j',
    async (id) => {
      const stream = await open(createApp(movingSource().source, FAST), '/api/v1/events', {
        'Last-Event-ID': id,
      });
      await stream.until(1);
      expect(stream.messages[0]?.type).toBe('state');
    },
  );

  it('sends the whole state when what was missed is gone', async () => {
    const worker = movingSource();
    const app = createApp(worker.source, { streamLimits: { flushMs: 1, logMessages: 2 } });
    const first = await open(app, '/api/v1/events');
    await first.until(1);
    const old = first.events[0]?.id ?? '';
    for (let n = 0; n < 4; n += 1) {
      worker.change({ poll_interval_ms: n + 1 });
      await first.until(n + 2);
    }
    const second = await open(app, '/api/v1/events', { 'Last-Event-ID': old });
    await second.until(1);
    expect(second.messages[0]).toMatchObject({ type: 'state', state: { poll_interval_ms: 4 } });
  });

  it('costs nothing while nobody listens', async () => {
    const worker = movingSource();
    const app = createApp(worker.source, { streamLimits: { flushMs: 5, lingerMs: 10 } });
    expect(worker.listeners.size).toBe(0);
    const stream = await open(app, '/api/v1/events');
    expect(worker.listeners.size).toBe(1);
    await stream.cancel();
    await expect.poll(() => worker.listeners.size).toBe(0);
  });

  it('answers HEAD without opening a stream', async () => {
    const worker = movingSource();
    const response = await ask(createApp(worker.source), '/api/v1/events', { method: 'HEAD' });
    expect([response.status, await response.text(), worker.listeners.size]).toEqual([200, '', 0]);
  });

  it('refuses more clients than it can serve', async () => {
    const app = createApp(movingSource().source, { streamLimits: { maxClients: 1 } });
    await open(app, '/api/v1/events');
    const response = await ask(app, '/api/v1/events');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'too_many_streams' } });
  });
});

describe('EventHub', () => {
  it('says what has happened before it ends', () => {
    const worker = movingSource();
    const hub = new EventHub(worker.source, { flushMs: 60_000 });
    const seen: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      const send = (bytes: Uint8Array) => seen.push(Buffer.from(bytes).toString()) > 0;
      hub.connect(null, 'all', { send, end: () => seen.push('end') });
    }
    seen.length = 0;
    worker.say('a', 'last words');
    worker.change({ paused: true });
    hub.close();
    expect(seen.filter((text) => text.includes('last words') && text.includes('"paused":true'))).toHaveLength(
      20,
    );
    expect(seen.slice(20)).toEqual(Array(20).fill('end'));
  });

  it('lets a client go that cannot keep up, and serves the others', () => {
    const worker = movingSource();
    const hub = new EventHub(worker.source, { flushMs: 1 });
    cleanups.push(() => hub.close());
    let taken = 0;
    let ended = false;
    const slow = { send: () => taken++ < 1, end: () => (ended = true) };
    const seen: string[] = [];
    const quick = {
      send: (bytes: Uint8Array) => seen.push(Buffer.from(bytes).toString()) > 0,
      end: () => {},
    };
    hub.connect(null, 'none', slow);
    hub.connect(null, 'none', quick);
    expect(hub.clients).toBe(2);
    worker.change({ paused: true });
    // Another client makes the hub send what has gathered.
    hub.connect(null, 'none', { send: () => true, end: () => {} });
    expect([ended, hub.clients]).toEqual([true, 2]);
    expect(seen.join('')).toContain('"paused":true');
  });
});

describe('followEvents', () => {
  /** Waits are cut short; a silent connection is not given up. */
  const setTimer = (ms: number, callback: () => void): (() => void) => {
    if (ms > 10_000) return () => {};
    const handle = setTimeout(callback, Math.min(ms, 50));
    return () => clearTimeout(handle);
  };

  it('reconnects when the worker was away and loses nothing', async () => {
    const worker = movingSource();
    const app = createApp(worker.source, FAST);
    const first = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger });
    cleanups.push(() => first.close());
    const said: string[] = [];
    const statuses: string[] = [];
    let shown: StateSnapshot | null = null;
    cleanups.push(
      followEvents({
        baseUrl: first.url,
        fetch,
        runs: 'all',
        setTimer,
        onStatus: (status) => statuses.push(status),
        onMessage(message) {
          shown = reduce(shown, message);
          if (message.type === 'run') said.push(message.entry.message);
        },
      }),
    );
    await expect.poll(() => shown).not.toBeNull();
    worker.say('a', 'one');
    await expect.poll(() => said).toEqual(['one']);
    // The connection is lost, things happen, and the same surface is back.
    await first.close();
    worker.change({ paused: true });
    const again = createAppSharing(app);
    const second = await listen({ app: again, host: '127.0.0.1', port: first.port, logger: silentLogger });
    cleanups.push(() => second.close());
    await expect.poll(() => (shown as StateSnapshot | null)?.paused).toBe(true);
    expect(statuses).toContain('failed');
    expect(statuses.at(-1)).toBe('open');
  });

  it('says why it is refused, and goes on trying', async () => {
    const app = createApp(movingSource().source, { token: 'dummy-token' });
    const listener = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger });
    cleanups.push(() => listener.close());
    const failures: (string | undefined)[] = [];
    cleanups.push(
      followEvents({
        baseUrl: listener.url,
        fetch,
        token: 'wrong',
        setTimer,
        onMessage: () => {},
        onStatus: (_status, failure) => failures.push(failure?.code),
      }),
    );
    await expect.poll(() => failures.length).toBeGreaterThan(2);
    expect(new Set(failures)).toEqual(new Set(['unauthorized']));
  });
});

/** The same surface for another listener. */
function createAppSharing(app: App): App {
  return {
    fetch: (request, connection) => app.fetch(request, connection),
    endStreams: () => app.endStreams(),
    probe: (path) => app.probe(path),
  };
}
