import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/contract/client.ts';
import type { FollowOptions } from '../../../src/contract/follow.ts';
import { emptyState } from '../../../test/integration/server/sample-state.ts';
import type { Instant } from './instant.ts';
import { createStateFeed } from './state-feed.ts';

/** A feed whose stream and clock are moved by hand. */
function scriptedFeed() {
  const streams: (Pick<FollowOptions, 'onMessage' | 'onStatus'> & { stopped: boolean })[] = [];
  let now: Instant = { wall: 5, steady: 5 };
  const feed = createStateFeed({
    follow(handlers) {
      const stream = { ...handlers, stopped: false };
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
    get stream() {
      const last = streams.at(-1);
      if (last === undefined) throw new Error('no stream was opened');
      return last;
    },
    at(ms: number) {
      now = { wall: ms, steady: ms };
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
    expect(scene.feed.get()).toEqual({ latest: null, failure: null });
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
