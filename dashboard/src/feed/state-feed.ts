import { ApiError } from '../../../src/contract/client.ts';
import type { FollowOptions } from '../../../src/contract/follow.ts';
import { reduce } from '../../../src/contract/reduce.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { RunMessage, StreamMessage } from '../../../src/contract/stream.ts';
import { Fallback, type FallbackPorts } from './fallback.ts';
import { FollowedRun } from './followed-run.ts';
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
  follow(handlers: Pick<FollowOptions, 'onMessage' | 'onStatus'>, run: string | null): () => void;
  now(): Instant;
}

export interface StateFeed {
  get(): Feed;
  subscribe(listener: () => void): () => void;
  /** Follows the worker until the returned function is called. */
  start(): () => void;
  /** Tells of the events of one run besides the state, until the returned function is called. */
  followRun(run: string, listener: (message: RunMessage) => void): () => void;
  /** Tries at once instead of when the wait is over; does nothing while the stream is up. */
  retryNow(): void;
}

export function createStateFeed(ports: FeedPorts): StateFeed {
  return new WorkerFeed(ports);
}

class WorkerFeed implements StateFeed {
  readonly #ports: FeedPorts;
  readonly #fallback: Fallback;
  readonly #followed = new FollowedRun(() => {
    if (this.#stop !== null) this.#reconnect();
  });
  readonly #listeners = new Set<() => void>();
  #feed: Feed = { latest: null, via: 'stream', failure: null };
  /** What the stream's messages add up to; answers to questions never mix with it. */
  #streamed: StateSnapshot | null = null;
  #stop: (() => void) | null = null;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#fallback = new Fallback({
      ask: () => ports.ask(),
      setTimer: (delayMs, callback) => ports.setTimer(delayMs, callback),
      onState: (snapshot) => this.#showNews(snapshot, 'polling'),
      onFailure: (error) => this.#showFailure(asApiError(error)),
      onReturn: () => this.#reconnect(),
    });
  }

  readonly get = (): Feed => this.#feed;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): () => void {
    if (this.#stop === null) {
      this.#fallback.start();
      this.#reconnect();
    }
    return () => {
      this.#stop?.();
      this.#stop = null;
      this.#fallback.stop();
    };
  }

  followRun(run: string, listener: (message: RunMessage) => void): () => void {
    return this.#followed.follow(run, listener);
  }

  retryNow(): void {
    const { failure, via } = this.#feed;
    if (this.#stop !== null && (failure !== null || via === 'polling')) this.#reconnect();
  }

  #show(next: Feed): void {
    this.#feed = next;
    for (const listener of this.#listeners) listener();
  }

  #showNews(snapshot: StateSnapshot, via: Feed['via']): void {
    this.#show({ latest: { snapshot, receivedAt: this.#ports.now() }, via, failure: null });
  }

  #showFailure({ code, message }: ApiError): void {
    this.#show({ ...this.#feed, failure: { code, message } });
  }

  #hear(message: StreamMessage): void {
    if (message.type === 'run') {
      this.#followed.hear(message);
      return;
    }
    this.#streamed = stateAfter(this.#streamed, message);
    if (this.#streamed === null || isLate(this.#streamed, this.#feed)) return;
    this.#fallback.heard();
    this.#showNews(this.#streamed, 'stream');
  }

  #noteFailure(failure: ApiError | null): void {
    if (failure === null) return;
    this.#fallback.failed();
    // While questions are answered, a stream that fails once more is no news.
    if (this.#feed.via === 'stream' || this.#feed.failure !== null) this.#showFailure(failure);
  }

  #reconnect(): void {
    this.#stop?.();
    this.#stop = this.#ports.follow(
      {
        onMessage: (message) => this.#hear(message),
        onStatus: (_status, failure) => this.#noteFailure(failure),
      },
      this.#followed.run,
    );
  }
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
