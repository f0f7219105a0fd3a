import { ApiError } from '../../contract/client.ts';
import { followEvents } from '../../contract/follow.ts';
import { reduce } from '../../contract/reduce.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import type { RunMessage, StreamMessage } from '../../contract/stream.ts';
import type { Connection, Known } from '../view.ts';
import { askState, type Clock, type Place } from './place.ts';

export interface FeedOptions {
  /** Finds the worker, again after each loss: it may have another address and token. Rejects with an error for people. */
  locate(): Promise<Place>;
  /** Time between questions while there is no stream. */
  readonly intervalMs: number;
  readonly clock: Clock;
  onChange(): void;
  onRun(message: RunMessage): void;
}

/** How long a stream may take to begin before the worker is asked. */
const OPENING_MS = 2_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** A worker that has no stream is asked for one now and then: it may be replaced. */
const NO_STREAM_WAIT_MS = 30_000;
const PATIENCE_MS = 10_000;
/** Answers of a worker that does not have a stream. */
const NO_STREAM: ReadonlySet<string> = new Set([
  'not_found',
  'issue_not_found',
  'unexpected_answer',
  'method_not_allowed',
]);

/** What is known of the worker: by its stream, by questions while that brings nothing, and again after it was away. */
export class Feed {
  readonly #options: FeedOptions;
  #connection: Connection;
  #known: Known | null = null;
  #place: Place | null = null;
  /** What the stream's messages add up to; answers to questions never mix with it. */
  #streamed: StateSnapshot | null = null;
  #run: string | null = null;
  #failures = 0;
  /** Callbacks of an earlier attempt are not wanted any more. */
  #attempt = 0;
  #stopFollowing = (): void => {};
  #cancelConnect = (): void => {};
  #cancelPoll: (() => void) | null = null;
  #stopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#connection = { kind: 'connecting', problem: null, since: options.clock.now() };
  }

  get connection(): Connection {
    return this.#connection;
  }

  get known(): Known | null {
    return this.#known;
  }

  get place(): Place | null {
    return this.#place;
  }

  start(): void {
    void this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    this.#attempt += 1;
    this.#stopFollowing();
    this.#cancelConnect();
    this.#stopPolling();
  }

  /** Which run's events are wanted besides the state; null for none. */
  wantRun(run: string | null): void {
    if (run === this.#run) return;
    this.#run = run;
    if (this.#connection.kind === 'live') this.#follow();
  }

  async #connect(): Promise<void> {
    const attempt = ++this.#attempt;
    this.#stopFollowing();
    try {
      const place = await this.#options.locate();
      if (attempt !== this.#attempt) return;
      this.#place = place;
      this.#follow();
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.#stopPolling();
      this.#lose(error);
      this.#reconnectIn(this.#backOff());
    }
  }

  #follow(): void {
    const place = this.#place;
    if (place === null || this.#stopped) return;
    const attempt = ++this.#attempt;
    const { clock } = this.#options;
    this.#stopFollowing();
    this.#cancelConnect();
    const cancelOpening = clock.setTimer(OPENING_MS, () => this.#startPolling());
    const stop = followEvents({
      baseUrl: place.baseUrl,
      fetch: place.fetch,
      ...(place.token === undefined ? {} : { token: place.token }),
      ...(this.#run === null ? {} : { runs: [this.#run] }),
      setTimer: (delayMs, callback) => clock.setTimer(delayMs, callback),
      onMessage: (message) => {
        if (attempt !== this.#attempt) return;
        cancelOpening();
        this.#hear(message);
      },
      onStatus: (status, failure) => {
        if (attempt === this.#attempt && status === 'failed') this.#failStream(failure);
      },
    });
    this.#stopFollowing = () => {
      cancelOpening();
      stop();
    };
  }

  #hear(message: StreamMessage): void {
    if (message.type === 'run') {
      this.#options.onRun(message);
      return;
    }
    this.#streamed = reduce(this.#streamed, message);
    if (this.#streamed === null || message.type === 'heartbeat') return;
    this.#failures = 0;
    this.#stopPolling();
    this.#learn(this.#streamed, 'live', false);
  }

  /** The worker may be gone, or be another by now: it is asked at once, and looked for anew. */
  #failStream(failure: ApiError | null): void {
    this.#stopFollowing();
    this.#streamed = null;
    const hasNone = failure !== null && NO_STREAM.has(failure.code);
    this.#startPolling();
    this.#reconnectIn(hasNone ? NO_STREAM_WAIT_MS : this.#backOff());
  }

  #backOff(): number {
    this.#failures += 1;
    return Math.min(FIRST_WAIT_MS * 2 ** Math.min(this.#failures - 1, 10), LONGEST_WAIT_MS);
  }

  #reconnectIn(delayMs: number): void {
    this.#cancelConnect();
    if (!this.#stopped)
      this.#cancelConnect = this.#options.clock.setTimer(delayMs, () => void this.#connect());
  }

  #startPolling(): void {
    if (this.#cancelPoll !== null || this.#stopped) return;
    this.#cancelPoll = () => {};
    void this.#poll();
  }

  #stopPolling(): void {
    this.#cancelPoll?.();
    this.#cancelPoll = null;
  }

  async #poll(): Promise<void> {
    const { clock, intervalMs } = this.#options;
    const place = this.#place;
    if (place === null) return;
    const asked = this.#cancelPoll;
    try {
      const { state, foreign } = await askState(place, clock, Math.max(PATIENCE_MS, intervalMs));
      if (asked !== this.#cancelPoll) return;
      this.#learn(state, 'polling', foreign);
    } catch (error) {
      if (asked !== this.#cancelPoll) return;
      this.#lose(error);
      // Where it was it is not: it is looked for again soon, which also asks again.
      this.#stopPolling();
      this.#reconnectIn(this.#backOff());
      return;
    }
    this.#cancelPoll = clock.setTimer(intervalMs, () => void this.#poll());
  }

  #learn(state: StateSnapshot, kind: 'live' | 'polling', foreign: boolean): void {
    const now = this.#options.clock.now();
    this.#known = { state, receivedAt: now, takesActions: !foreign };
    this.#be(kind, null);
  }

  #lose(error: unknown): void {
    this.#be('away', describe(error));
  }

  #be(kind: Connection['kind'], problem: string | null): void {
    const { kind: before, since } = this.#connection;
    this.#connection = { kind, problem, since: before === kind ? since : this.#options.clock.now() };
    this.#options.onChange();
  }
}

function describe(error: unknown): string {
  const hint =
    error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? ` ${error.hint}` : '';
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiError || hint !== '')
    return `${message}${/[.!?]$/.test(message) ? '' : '.'}${hint}`;
  // What `fetch` says about a refused connection means nothing to most people.
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError')
    ? 'No answer from its address.'
    : message;
}
