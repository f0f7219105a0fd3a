import type { ApiError } from '../../../src/contract/client.ts';
import type { FollowOptions } from '../../../src/contract/follow.ts';
import { reduce } from '../../../src/contract/reduce.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { StreamMessage } from '../../../src/contract/stream.ts';
import type { Instant } from './instant.ts';

export interface FeedFailure {
  readonly code: string;
  readonly message: string;
}

/** What is known of the worker: the state as of the last message, and whether the stream is up. */
export interface Feed {
  readonly latest: { readonly snapshot: StateSnapshot; readonly receivedAt: Instant } | null;
  readonly failure: FeedFailure | null;
}

export interface FeedPorts {
  /** Follows the worker's stream, again and again, until the returned function is called. */
  follow(handlers: Pick<FollowOptions, 'onMessage' | 'onStatus'>): () => void;
  now(): Instant;
}

export interface StateFeed {
  get(): Feed;
  subscribe(listener: () => void): () => void;
  /** Follows the worker until the returned function is called. */
  start(): () => void;
  /** Tries at once instead of when the wait is over; does nothing while the stream is up. */
  retryNow(): void;
}

export function createStateFeed(ports: FeedPorts): StateFeed {
  let feed: Feed = { latest: null, failure: null };
  let stop: (() => void) | null = null;
  const listeners = new Set<() => void>();

  function show(next: Feed): void {
    feed = next;
    for (const listener of listeners) listener();
  }

  function onMessage(message: StreamMessage): void {
    const snapshot = stateAfter(feed.latest?.snapshot ?? null, message);
    if (snapshot !== null) show({ latest: { snapshot, receivedAt: ports.now() }, failure: null });
  }

  function onStatus(_status: string, failure: ApiError | null): void {
    if (failure !== null)
      show({ latest: feed.latest, failure: { code: failure.code, message: failure.message } });
  }

  return {
    get: () => feed,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      stop ??= ports.follow({ onMessage, onStatus });
      return () => {
        stop?.();
        stop = null;
      };
    },
    retryNow() {
      if (stop === null || feed.failure === null) return;
      stop();
      stop = ports.follow({ onMessage, onStatus });
    },
  };
}

/** A heartbeat says that the state is still what it was, at the worker's time. */
function stateAfter(state: StateSnapshot | null, message: StreamMessage): StateSnapshot | null {
  if (message.type !== 'heartbeat') return reduce(state, message);
  return state === null ? null : { ...state, generated_at: message.at };
}
