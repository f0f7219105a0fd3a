import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/contract/client.ts';
import type { FollowOptions } from '../../../src/contract/follow.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { emptyState } from '../../../test/integration/server/state-fixture.ts';
import type { Instant } from './instant.ts';
import { createStateFeed } from './state-feed.ts';

/** A feed whose stream and clock are moved by hand. */
function scriptedFeed() {
  const streams: (Pick<FollowOptions, 'onMessage' | 'onStatus'> & {
    stopped: boolean;
    run: string | null;
  })[] = [];
  const questions: { answer(state: StateSnapshot): void; fail(error: unknown): void }[] = [];
  const timers = new Set<{ at: number; callback: () => void }>();
  let now: Instant = { wall: 5, steady: 5 };
  const feed = createStateFeed({
    ask: () =>
      new Promise((resolve, reject) => {
        questions.push({ answer: resolve, fail: reject });
      }),
    setTimer(delayMs, callback) {
      const timer = { at: now.steady + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    follow(handlers, run) {
      const stream = { ...handlers, stopped: false, run };
      streams.push(stream);
      return () => {
        stream.stopped = true;
      };
    },
    now: () => now,
  });
  return {
    feed,
    streams,
    questions,
    /** The last question, answered or refused; resolves when the feed has taken note. */
    async answer(result: StateSnapshot | ApiError) {
      const last = questions.at(-1);
      if (last === undefined) throw new Error('nothing was asked');
      if (result instanceof ApiError) last.fail(result);
      else last.answer(result);
      await new Promise((resolve) => setImmediate(resolve));
    },
    get stream() {
      const last = streams.at(-1);
      if (last === undefined) throw new Error('no stream was opened');
      return last;
    },
    at(ms: number) {
      now = { wall: ms, steady: ms };
      for (const timer of [...timers]) {
        if (timer.at <= ms && timers.delete(timer)) timer.callback();
      }
    },
  };
}

const state = emptyState(0);
const gone = new ApiError('unreachable', 'no answer', null);

describe('createStateFeed', () => {
  it('shows the state and what changes, with the moment each came', () => {
    const scene = scriptedFeed();
    let told = 0;
    scene.feed.subscribe(() => {
      told += 1;
    });
    scene.feed.start();
    expect(scene.feed.get()).toEqual({ latest: null, via: 'stream', failure: null });
    scene.stream.onMessage({ type: 'state', state });
    scene.at(7);
    scene.stream.onMessage({
      type: 'patch',
      set: { generated_at: state.generated_at, paused: true },
      add: {},
    });
    expect(scene.feed.get().latest).toEqual({
      snapshot: { ...state, paused: true },
      receivedAt: { wall: 7, steady: 7 },
    });
    expect(told).toBe(2);
  });

  it('takes a heartbeat for the news that nothing is new', () => {
    const scene = scriptedFeed();
    scene.feed.start();
    scene.stream.onMessage({ type: 'heartbeat', at: '2026-07-01T09:30:00.000Z' });
    expect(scene.feed.get().latest).toBeNull();
    scene.stream.onMessage({ type: 'state', state });
    scene.at(5_000);
    scene.stream.onMessage({ type: 'heartbeat', at: '2026-07-01T09:30:05.000Z' });
    expect(scene.feed.get().latest).toEqual({
      snapshot: { ...state, generated_at: '2026-07-01T09:30:05.000Z' },
      receivedAt: { wall: 5_000, steady: 5_000 },
    });
  });

  it('keeps the last state when the worker goes away, and never calls it fresh', () => {
    const scene = scriptedFeed();
    scene.feed.start();
    scene.stream.onMessage({ type: 'state', state });
    scene.at(9_000);
    scene.stream.onStatus?.('failed', gone);
    expect(scene.feed.get()).toEqual({
      latest: { snapshot: state, receivedAt: { wall: 5, steady: 5 } },
      via: 'stream',
      failure: { code: 'unreachable', message: 'no answer' },
    });
    scene.stream.onStatus?.('open', null);
    expect(scene.feed.get().failure).not.toBeNull();
    scene.stream.onMessage({ type: 'state', state });
    expect(scene.feed.get().failure).toBeNull();
  });

  it('tries at once when it is woken, unless the stream is up', () => {
    const scene = scriptedFeed();
    scene.feed.start();
    scene.stream.onMessage({ type: 'state', state });
    scene.feed.retryNow();
    expect(scene.streams).toHaveLength(1);
    scene.stream.onStatus?.('failed', gone);
    scene.feed.retryNow();
    expect(scene.streams.map((stream) => stream.stopped)).toEqual([true, false]);
  });

  it('opens one stream, and closes it when nobody looks', () => {
    const scene = scriptedFeed();
    const stop = scene.feed.start();
    scene.feed.start();
    expect(scene.streams).toHaveLength(1);
    stop();
    expect(scene.stream.stopped).toBe(true);
    scene.feed.retryNow();
    expect(scene.streams).toHaveLength(1);
    scene.feed.start();
    expect(scene.streams).toHaveLength(2);
  });
});

describe('a stream that is held back', () => {
  const at = (seconds: number): StateSnapshot => emptyState(seconds * 1000);

  it('is replaced by questions, and taken up again when it brings something', async () => {
    const scene = scriptedFeed();
    scene.feed.start();
    scene.at(3_500);
    expect(scene.questions).toHaveLength(0);
    scene.at(3_505);
    await scene.answer(at(1));
    expect(scene.feed.get()).toMatchObject({ via: 'polling', failure: null, latest: { snapshot: at(1) } });
    scene.at(6_505);
    expect(scene.questions).toHaveLength(2);
    await scene.answer(at(4));
    scene.stream.onStatus?.('failed', gone);
    expect(scene.feed.get()).toMatchObject({ via: 'polling', failure: null });
    scene.stream.onMessage({ type: 'state', state: at(5) });
    expect(scene.feed.get()).toMatchObject({ via: 'stream', latest: { snapshot: at(5) } });
    scene.at(15_000);
    expect(scene.questions).toHaveLength(2);
  });

  it('is noticed also when it worked before', async () => {
    const scene = scriptedFeed();
    scene.feed.start();
    scene.stream.onMessage({ type: 'state', state: at(1) });
    scene.at(12_000);
    expect(scene.questions).toHaveLength(0);
    scene.at(12_005);
    expect(scene.questions).toHaveLength(1);
    scene.stream.onMessage({ type: 'heartbeat', at: new Date(12_010).toISOString() });
    // The answer comes too late to matter.
    await scene.answer(at(11));
    expect(scene.feed.get()).toMatchObject({ via: 'stream', failure: null });
  });

  it('does not bring old news back after newer ones', async () => {
    const scene = scriptedFeed();
    scene.feed.start();
    scene.at(3_505);
    await scene.answer(at(60));
    scene.stream.onMessage({ type: 'state', state: at(1) });
    scene.stream.onMessage({ type: 'heartbeat', at: new Date(5_000).toISOString() });
    expect(scene.feed.get()).toMatchObject({ via: 'polling', latest: { snapshot: at(60) } });
    scene.stream.onMessage({ type: 'heartbeat', at: new Date(61_000).toISOString() });
    expect(scene.feed.get()).toMatchObject({
      via: 'stream',
      latest: { snapshot: { generated_at: at(61).generated_at } },
    });
  });

  it('is told apart from a worker that is away, whose return opens the stream at once', async () => {
    const scene = scriptedFeed();
    scene.feed.start();
    scene.stream.onMessage({ type: 'state', state: at(1) });
    scene.stream.onStatus?.('failed', gone);
    scene.at(3_000);
    scene.stream.onStatus?.('failed', gone);
    scene.at(3_505);
    await scene.answer(gone);
    expect(scene.feed.get()).toMatchObject({ via: 'stream', failure: { code: 'unreachable' } });
    scene.at(6_505);
    await scene.answer(at(6));
    expect(scene.streams.map((stream) => stream.stopped)).toEqual([true, false]);
    expect(scene.feed.get().failure).not.toBeNull();
    scene.stream.onMessage({ type: 'state', state: at(7) });
    expect(scene.feed.get()).toMatchObject({ via: 'stream', failure: null });
  });

  it('is not asked about when nobody looks', () => {
    const scene = scriptedFeed();
    scene.feed.start()();
    scene.at(60_000);
    expect(scene.questions).toHaveLength(0);
  });

  it('is tried again when the page is looked at', async () => {
    const scene = scriptedFeed();
    scene.feed.start();
    scene.at(3_505);
    await scene.answer(at(1));
    scene.feed.retryNow();
    expect(scene.streams).toHaveLength(2);
  });
});

describe('the events of a run', () => {
  const entry = { seq: 1, at: '2026-07-01T09:30:00.000Z', kind: 'activity', message: 'x', detail: {} };
  const message = (run: string) => ({ type: 'run', run_id: run, issue_identifier: 'A', entry }) as const;

  it('come with the same stream, which is opened anew for them, and end with it', () => {
    const scene = scriptedFeed();
    const heard: string[] = [];
    scene.feed.start();
    const forget = scene.feed.followRun('r1', ({ run_id: run }) => heard.push(run));
    expect(scene.streams.map(({ run, stopped }) => [run, stopped])).toEqual([
      [null, true],
      ['r1', false],
    ]);
    scene.stream.onMessage({ type: 'state', state });
    scene.stream.onMessage(message('r1'));
    scene.stream.onMessage(message('r2'));
    expect(heard).toEqual(['r1']);
    expect(scene.feed.get().latest?.snapshot).toEqual(state);
    forget();
    expect(scene.stream.run).toBeNull();
    scene.stream.onMessage(message('r1'));
    expect(heard).toEqual(['r1']);
  });

  it('of the run that is wanted last are told, and giving up an earlier one changes nothing', () => {
    const scene = scriptedFeed();
    scene.feed.start();
    const forgetFirst = scene.feed.followRun('r1', () => {});
    scene.feed.followRun('r2', () => {});
    forgetFirst();
    expect(scene.stream.run).toBe('r2');
  });
});
