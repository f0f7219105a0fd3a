import { type ApiClient, ApiError } from '../../contract/client.ts';
import { followEvents } from '../../contract/follow.ts';
import type { TimelineEntry } from '../../contract/runs.ts';
import type { StreamMessage } from '../../contract/stream.ts';
import type { Connection } from './connect.ts';
import { readTimeline } from './read-timeline.ts';

export interface FollowRunOptions {
  readonly client: ApiClient;
  /** Where the stream is. */
  readonly connection: Connection;
  readonly run: string;
  /** The last entry that was printed already. */
  readonly after: number;
  print(entries: readonly TimelineEntry[]): void;
  /** For remarks about the connection. */
  remark(text: string): void;
  /** How long one question to the worker may take. */
  signal(): AbortSignal;
  readonly times?: Partial<FollowTimes>;
}

/** Milliseconds. */
export interface FollowTimes {
  /** Between questions while the stream tells nothing. */
  readonly ask: number;
  /** The worker sends something every five seconds; a stream silent for longer is not to be relied on. */
  readonly silence: number;
  /** How long a worker may be away. */
  readonly patience: number;
}

const TIMES: FollowTimes = { ask: 1_000, silence: 8_000, patience: 60_000 };

/**
 * Prints what a run reports until it ends. The stream brings the news; while there is none (a proxy holds it back, the
 * worker restarts) the timeline is asked for instead. Rejects when the worker stays away.
 */
export function followRun(options: FollowRunOptions): Promise<void> {
  return new Promise((resolve, reject) => new RunFollower(options, resolve, reject).start());
}

class RunFollower {
  readonly #options: FollowRunOptions;
  readonly #times: FollowTimes;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #last: number;
  #heardAt = Number.NEGATIVE_INFINITY;
  #awaySince: number | null = null;
  /** The stream said that the run is over; it brings a run's last words before that. */
  #over = false;
  #reading = false;
  /** Entries the stream brought while a question was open. */
  #waiting: TimelineEntry[] = [];
  #again = false;
  #stop = (): void => {};

  constructor(options: FollowRunOptions, resolve: () => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#resolve = resolve;
    this.#reject = reject;
    this.#last = options.after;
  }

  start(): void {
    const { connection, run } = this.#options;
    const asking = setInterval(() => {
      if (performance.now() - this.#heardAt > this.#times.silence) void this.#catchUp();
    }, this.#times.ask);
    const stopFollowing = followEvents({
      ...connection,
      fetch,
      runs: [run],
      setTimer(delayMs, callback) {
        const handle = setTimeout(callback, delayMs);
        return () => clearTimeout(handle);
      },
      onMessage: (message) => this.#hear(message),
      onStatus: (status) => {
        if (status === 'failed') this.#heardAt = Number.NEGATIVE_INFINITY;
        // What was said before the stream began is not on it.
        else void this.#catchUp();
      },
    });
    this.#stop = () => {
      clearInterval(asking);
      stopFollowing();
    };
  }

  #hear(message: StreamMessage): void {
    this.#heardAt = performance.now();
    const { run } = this.#options;
    if (message.type === 'run' && message.run_id === run) this.#take(message.entry);
    if (isOver(message, run)) {
      this.#over = true;
      void this.#catchUp();
    }
  }

  /** What follows on what was printed is printed; before anything else, the answer to a question is waited for. */
  #take(entry: TimelineEntry): void {
    if (entry.seq <= this.#last) return;
    if (this.#reading || entry.seq > this.#last + 1) {
      this.#waiting.push(entry);
      void this.#catchUp();
      return;
    }
    this.#print([entry]);
  }

  #print(entries: readonly TimelineEntry[]): void {
    this.#options.print(entries);
    this.#last = entries.at(-1)?.seq ?? this.#last;
  }

  /** Asks for everything after what was printed; one question at a time. */
  async #catchUp(): Promise<void> {
    this.#again = true;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#again) {
        this.#again = false;
        if (!(await this.#read())) return this.#end(this.#resolve);
      }
    } catch (error) {
      if (this.#over && isAway(error)) {
        this.#print(this.#waiting.filter(({ seq }) => seq > this.#last));
        this.#end(this.#resolve);
      } else if (!this.#mayWait(error)) this.#end(() => this.#reject(error));
    } finally {
      this.#reading = false;
    }
  }

  /** False when the run is over. */
  async #read(): Promise<boolean> {
    const { client, run, remark, signal } = this.#options;
    const { entries, live } = await readTimeline(client, run, this.#last, signal);
    if (this.#awaySince !== null) remark('the worker is back');
    this.#awaySince = null;
    this.#print(entries);
    this.#waiting = this.#waiting.filter(({ seq }) => seq > this.#last);
    return live;
  }

  #mayWait(error: unknown): boolean {
    if (!isAway(error)) return false;
    const now = performance.now();
    if (this.#awaySince === null) this.#options.remark('the worker does not answer, waiting for it');
    this.#awaySince ??= now;
    return now - this.#awaySince < this.#times.patience;
  }

  #end(settle: () => void): void {
    this.#stop();
    settle();
  }
}

/** A worker that restarts answers nothing, or its proxy answers for it. */
function isAway(error: unknown): boolean {
  return error instanceof ApiError && (error.status === null || error.status >= 500);
}

function isOver(message: StreamMessage, run: string): boolean {
  const running =
    message.type === 'state'
      ? message.state.running
      : message.type === 'patch'
        ? message.set.running
        : undefined;
  return running !== undefined && !running.some((row) => row.run_id === run);
}
