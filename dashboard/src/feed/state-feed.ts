import { ApiError } from '../../../src/contract/client.ts';
import type { FollowOptions } from '../../../src/contract/follow.ts';
import { reduce } from '../../../src/contract/reduce.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { StreamMessage } from '../../../src/contract/stream.ts';
import { Fallback, type FallbackPorts } from './fallback.ts';
import type { Instant } from './instant.ts';

export interface FeedFailure {
  readonly code: string;
  readonly message: string;
}

/** What is known of the worker: the state as of the last news, how the news come, and whether they do. */
export interface Feed {
  readonly latest: { readonly snapshot: StateSnapshot; readonly receivedAt: Instant } | null;
  readonly via: 'stream' | 'polling';
  readonly failure: FeedFailure | null;
}

export interface FeedPorts extends Pick<FallbackPorts, 'ask' | 'setTimer'> {
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
  let feed: Feed = { latest: null, via: 'stream', failure: null };
  /** What the stream's messages add up to; answers to questions never mix with it. */
  let streamed: StateSnapshot | null = null;
  let stop: (() => void) | null = null;
  const listeners = new Set<() => void>();
  const fallback = new Fallback({
    ask: () => ports.ask(),
    setTimer: (delayMs, callback) => ports.setTimer(delayMs, callback),
    onState: (snapshot) => showNews(snapshot, 'polling'),
    onFailure: (error) => showFailure(asApiError(error)),
    onReturn: () => reconnect(),
  });

  function show(next: Feed): void {
    feed = next;
    for (const listener of listeners) listener();
  }

  function showNews(snapshot: StateSnapshot, via: Feed['via']): void {
    show({ latest: { snapshot, receivedAt: ports.now() }, via, failure: null });
  }

  function showFailure({ code, message }: ApiError): void {
    show({ ...feed, failure: { code, message } });
  }

  function onMessage(message: StreamMessage): void {
    streamed = stateAfter(streamed, message);
    if (streamed === null || isLate(streamed, feed)) return;
    fallback.heard();
    showNews(streamed, 'stream');
  }

  function onStatus(_status: string, failure: ApiError | null): void {
    if (failure === null) return;
    fallback.failed();
    // While questions are answered, a stream that fails once more is no news.
    if (feed.via === 'stream' || feed.failure !== null) showFailure(failure);
  }

  function reconnect(): void {
    stop?.();
    stop = ports.follow({ onMessage, onStatus });
  }

  return {
    get: () => feed,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      if (stop === null) {
        fallback.start();
        reconnect();
      }
      return () => {
        stop?.();
        stop = null;
        fallback.stop();
      };
    },
    retryNow() {
      if (stop !== null && (feed.failure !== null || feed.via === 'polling')) reconnect();
    },
  };
}

/** A proxy that holds a stream back may let old messages through after newer answers. */
function isLate(streamed: StateSnapshot, { via, latest }: Feed): boolean {
  return via === 'polling' && latest !== null && streamed.generated_at < latest.snapshot.generated_at;
}

/** A heartbeat says that the state is still what it was, at the worker's time. */
function stateAfter(state: StateSnapshot | null, message: StreamMessage): StateSnapshot | null {
  if (message.type !== 'heartbeat') return reduce(state, message);
  return state === null ? null : { ...state, generated_at: message.at };
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('unreachable', 'no answer', null, error);
}
