import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/contract/client.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { emptyState } from '../../../test/integration/server/sample-state.ts';
import { nextDelayMs } from './next-delay.ts';
import { createStateFeed } from './state-feed.ts';

interface Question {
  readonly signal: AbortSignal;
  answer(snapshot: StateSnapshot): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** A feed whose worker and timers are moved by hand. */
function scriptedFeed() {
  const questions: Question[] = [];
  const timers = new Map<() => void, number>();
  let hidden = false;
  const feed = createStateFeed({
    fetchState: (signal) =>
      new Promise((resolve, reject) => {
        // Settling takes effect in microtasks; a macrotask later it has.
        const settled = () => new Promise<void>((done) => setImmediate(done));
        questions.push({
          signal,
          answer: (snapshot) => {
            resolve(snapshot);
            return settled();
          },
          fail: (error) => {
            reject(error);
            return settled();
          },
        });
      }),
    now: () => ({ wall: 5, steady: 5 }),
    isHidden: () => hidden,
    setTimer(delayMs, callback) {
      timers.set(callback, delayMs);
      return () => timers.delete(callback);
    },
  });
  const fire = (delayMs: number): void => {
    for (const [callback, delay] of [...timers]) {
      if (delay !== delayMs) continue;
      timers.delete(callback);
      callback();
    }
  };
  const question = (index: number): Question => {
    const found = questions[index];
    if (found === undefined) throw new Error(`question ${index} was not asked`);
    return found;
  };
  return { feed, questions, question, fire, timers, hide: (value: boolean) => (hidden = value) };
}

const snapshot = emptyState(0);

describe('createStateFeed', () => {
  it('asks at once, then a second after each answer (R-13.7.2-n)', async () => {
    const { feed, questions, question, fire, timers } = scriptedFeed();
    let told = 0;
    feed.subscribe(() => (told += 1));
    feed.start();
    expect(questions).toHaveLength(1);
    await question(0).answer(snapshot);
    expect(feed.get()).toEqual({ latest: { snapshot, receivedAt: { wall: 5, steady: 5 } }, failure: null });
    expect(told).toBe(1);
    expect([...timers.values()]).toEqual([1_000]);
    fire(1_000);
    expect(questions).toHaveLength(2);
  });

  it('keeps the last snapshot when the worker goes away, and backs off', async () => {
    const { feed, question, fire, timers } = scriptedFeed();
    feed.start();
    await question(0).answer(snapshot);
    fire(1_000);
    await question(1).fail(new ApiError('unreachable', 'no answer', null));
    expect(feed.get().latest?.snapshot).toBe(snapshot);
    expect(feed.get().failure).toEqual({ code: 'unreachable', message: 'no answer' });
    fire(1_000);
    await question(2).fail(new ApiError('unreachable', 'no answer', null));
    expect([...timers.values()]).toEqual([2_000]);
    fire(2_000);
    await question(3).answer(snapshot);
    expect(feed.get().failure).toBeNull();
    expect([...timers.values()]).toEqual([1_000]);
  });

  it('gives up on a question that is not answered', async () => {
    const { feed, question, fire } = scriptedFeed();
    feed.start();
    fire(5_000);
    expect(question(0).signal.aborted).toBe(true);
    await question(0).fail(new ApiError('aborted', 'given up', null));
    expect(feed.get().failure?.code).toBe('timeout');
  });

  it('never has two questions open, and asks early when told to', async () => {
    const { feed, questions, question } = scriptedFeed();
    feed.start();
    feed.pollNow();
    expect(questions).toHaveLength(1);
    await question(0).answer(snapshot);
    feed.pollNow();
    feed.pollNow();
    expect(questions).toHaveLength(2);
  });

  it('stops for good, also in the middle of a question', async () => {
    const { feed, questions, question, timers } = scriptedFeed();
    const stop = feed.start();
    stop();
    await question(0).answer(snapshot);
    expect(timers.size).toBe(0);
    expect(feed.get().latest).toBeNull();
    feed.pollNow();
    expect(questions).toHaveLength(1);
  });

  it('goes on when started again while the first question is open', async () => {
    const { feed, question, timers } = scriptedFeed();
    feed.start()();
    feed.start();
    await question(0).answer(snapshot);
    expect(feed.get().latest).not.toBeNull();
    expect(timers.size).toBe(1);
  });

  it('asks less often while nobody looks', async () => {
    const { feed, question, timers, hide } = scriptedFeed();
    hide(true);
    feed.start();
    await question(0).answer(snapshot);
    expect([...timers.values()]).toEqual([10_000]);
  });
});

describe('nextDelayMs', () => {
  it('doubles up to ten seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 60].map((failures) => nextDelayMs(failures, false))).toEqual([
      1_000, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });
});
