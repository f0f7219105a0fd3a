import { ApiError } from '../../../src/contract/client.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { Instant } from './instant.ts';
import { nextDelayMs } from './next-delay.ts';

export interface FeedFailure {
  readonly code: string;
  readonly message: string;
}

/** What is known of the worker: the last snapshot that came, and whether the last question was answered. */
export interface Feed {
  readonly latest: { readonly snapshot: StateSnapshot; readonly receivedAt: Instant } | null;
  readonly failure: FeedFailure | null;
}

export interface FeedPorts {
  fetchState(signal: AbortSignal): Promise<StateSnapshot>;
  now(): Instant;
  isHidden(): boolean;
  /** Calls back once; the returned function cancels it. */
  setTimer(delayMs: number, callback: () => void): () => void;
}

export interface StateFeed {
  get(): Feed;
  subscribe(listener: () => void): () => void;
  /** Asks at once and goes on asking until the returned function is called. */
  start(): () => void;
  /** Asks now instead of at the next turn; no more than one question is ever open. */
  pollNow(): void;
}

const ANSWER_TIMEOUT_MS = 5_000;

export function createStateFeed(ports: FeedPorts): StateFeed {
  let feed: Feed = { latest: null, failure: null };
  let failures = 0;
  let running = false;
  let asking = false;
  let cancelTimer = (): void => {};
  const listeners = new Set<() => void>();

  async function ask(): Promise<void> {
    asking = true;
    const timeout = new AbortController();
    const cancelTimeout = ports.setTimer(ANSWER_TIMEOUT_MS, () => timeout.abort());
    const answer = await ports.fetchState(timeout.signal).then(
      (snapshot): Feed => ({ latest: { snapshot, receivedAt: ports.now() }, failure: null }),
      (error: unknown): Feed => ({ latest: feed.latest, failure: describe(error) }),
    );
    cancelTimeout();
    asking = false;
    if (!running) return;
    failures = answer.failure === null ? 0 : failures + 1;
    feed = answer;
    for (const listener of listeners) listener();
    schedule();
  }

  function schedule(): void {
    cancelTimer = ports.setTimer(nextDelayMs(failures, ports.isHidden()), () => void ask());
  }

  function pollNow(): void {
    if (!running || asking) return;
    cancelTimer();
    void ask();
  }

  return {
    get: () => feed,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      running = true;
      pollNow();
      return () => {
        running = false;
        cancelTimer();
      };
    },
    pollNow,
  };
}

function describe(error: unknown): FeedFailure {
  if (!(error instanceof ApiError)) return { code: 'page_error', message: String(error) };
  if (error.code === 'aborted') return { code: 'timeout', message: 'the worker did not answer in time' };
  return { code: error.code, message: error.message };
}
