import { describe, expect, it } from 'vitest';
import { goState } from '../../../test/fakes/go-state.ts';
import { emptyState } from '../../../test/integration/server/state-fixture.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import type { StreamMessage } from '../../contract/stream.ts';
import { Feed } from './feed.ts';
import type { Clock, Place } from './place.ts';

const NOW = Date.parse('2026-07-01T09:30:00.000Z');

/** A worker and a clock that are moved by hand. */
class Scene {
  now = NOW;
  readonly asked: string[] = [];
  /** What a worker answers; null while there is none. */
  state: unknown = emptyState(NOW);
  hasStream = true;
  port = 4000;
  #send: (text: string) => void = () => {};
  #end: () => void = () => {};
  readonly #timers = new Set<{ at: number; callback: () => void }>();
  readonly feed: Feed;

  constructor() {
    const clock: Clock = {
      now: () => this.now,
      setTimer: (delayMs, callback) => {
        const timer = { at: this.now + delayMs, callback };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
      },
    };
    this.feed = new Feed({
      clock,
      intervalMs: 1000,
      locate: () => this.#locate(),
      onChange: () => {},
      onRun: () => {},
    });
  }

  async #locate(): Promise<Place> {
    if (this.state === null) throw new Error('no worker runs');
    const baseUrl = `http://127.0.0.1:${this.port}`;
    return { baseUrl, pageUrl: `${baseUrl}/`, refusal: null, fetch: (url) => this.#answer(url) };
  }

  async #answer(url: string): Promise<Response> {
    this.asked.push(url.replace(/^http:\/\/127\.0\.0\.1:/, ''));
    if (this.state === null) throw new TypeError('fetch failed');
    if (!url.endsWith('/events')) return Response.json(this.state);
    if (!this.hasStream)
      return Response.json({ error: { code: 'issue_not_found', message: 'no' } }, { status: 404 });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#send = (text) => controller.enqueue(new TextEncoder().encode(text));
        this.#end = () => controller.close();
      },
    });
    return new Response(body);
  }

  async tell(message: StreamMessage): Promise<void> {
    this.#send(`event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`);
    await settle();
  }

  async endStream(): Promise<void> {
    this.#end();
    await settle();
  }

  async after(ms: number): Promise<void> {
    this.now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at <= this.now && this.#timers.delete(timer)) timer.callback();
    }
    await settle();
  }

  get kind(): string {
    return this.feed.connection.kind;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function start(over: Partial<Pick<Scene, 'state' | 'hasStream'>> = {}): Promise<Scene> {
  const scene = Object.assign(new Scene(), over);
  scene.feed.start();
  await settle();
  return scene;
}

const stateOf = (scene: Scene): StateSnapshot | undefined => scene.feed.known?.state;

describe('Feed', () => {
  it('follows the stream and asks nothing while it tells', async () => {
    const scene = await start();
    expect(scene.kind).toBe('connecting');
    await scene.tell({ type: 'state', state: emptyState(NOW) });
    expect(scene.kind).toBe('live');
    await scene.tell({
      type: 'patch',
      set: { generated_at: emptyState(NOW).generated_at, paused: true },
      add: {},
    });
    expect(stateOf(scene)?.paused).toBe(true);
    await scene.after(10_000);
    expect(scene.asked).toEqual(['4000/api/v1/events']);
    scene.feed.stop();
  });

  it('asks while a stream is held back, and takes it up when it tells something', async () => {
    const scene = await start();
    await scene.after(2_000);
    expect(scene.kind).toBe('polling');
    await scene.after(1_000);
    expect(scene.asked.filter((path) => path.endsWith('/state'))).toHaveLength(2);
    await scene.tell({ type: 'state', state: emptyState(NOW) });
    expect(scene.kind).toBe('live');
    scene.feed.stop();
  });

  it('asks a worker without a stream, and reads a Go worker', async () => {
    const scene = await start({ hasStream: false, state: goState() });
    expect(scene.kind).toBe('polling');
    expect(stateOf(scene)?.running).toHaveLength(2);
    expect(scene.feed.known?.takesActions).toBe(false);
    await scene.after(1_000);
    expect(scene.asked.filter((path) => path.endsWith('/events'))).toHaveLength(1);
    scene.feed.stop();
  });

  it('keeps what it knew while the worker is away, and finds it at another address', async () => {
    const scene = await start();
    await scene.tell({ type: 'state', state: emptyState(NOW) });
    scene.state = null;
    await scene.endStream();
    expect(scene.kind).toBe('away');
    expect(scene.feed.connection.problem).toBe('No answer from its address.');
    expect(stateOf(scene)).toBeDefined();
    await scene.after(5_000);
    expect([scene.kind, scene.feed.connection.problem]).toEqual(['away', 'no worker runs']);
    Object.assign(scene, { state: emptyState(NOW), port: 5000 });
    await scene.after(5_000);
    await scene.tell({ type: 'state', state: emptyState(NOW) });
    expect(scene.kind).toBe('live');
    expect(scene.feed.place?.baseUrl).toBe('http://127.0.0.1:5000');
    scene.feed.stop();
  });

  it('says that what answers is no worker', async () => {
    const scene = await start({ hasStream: false, state: { hello: 'world' } });
    expect(scene.kind).toBe('away');
    expect(scene.feed.connection.problem).toContain('no worker');
    scene.feed.stop();
  });

  it('asks for nothing any more once it is stopped', async () => {
    const scene = await start({ hasStream: false });
    scene.feed.stop();
    const before = scene.asked.length;
    await scene.after(60_000);
    expect(scene.asked).toHaveLength(before);
  });
});
