import { type ApiClient, ApiError } from '../../../src/contract/client.ts';
import type { RunDetail, TimelineEntry } from '../../../src/contract/runs.ts';
import type { RunMessage } from '../../../src/contract/stream.ts';

/** What is known of the open run. */
export interface RunData {
  readonly detail: RunDetail | null;
  /** In order; a gap in `seq` means events that were not kept. */
  readonly entries: readonly TimelineEntry[];
  /** False until the transcript was read to its end once. */
  readonly complete: boolean;
  /** Lines of the transcript that could not be read. */
  readonly unreadable: number;
  readonly problem: { readonly code: string; readonly message: string } | null;
}

export interface RunReaderPorts {
  readonly run: string;
  readonly client: Pick<ApiClient, 'run' | 'runEvents'>;
  setTimer(delayMs: number, callback: () => void): () => void;
}

const PAGE = 2_000;
/** What the stream brings is shown in batches: a person reads slower than an agent writes. */
const SHOW_EVERY_MS = 200;

/** Reads one run and keeps it true: its transcript from the worker's disk, then what the stream brings. */
export class RunReader {
  readonly #ports: RunReaderPorts;
  readonly #listeners = new Set<() => void>();
  #data: RunData = { detail: null, entries: [], complete: false, unreadable: 0, problem: null };
  #waiting: TimelineEntry[] = [];
  #cancelFlush: (() => void) | null = null;
  #reading: Promise<void> | null = null;
  #stopped = false;

  constructor(ports: RunReaderPorts) {
    this.#ports = ports;
  }

  readonly get = (): RunData => this.#data;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads what is new: the run's facts, and its transcript from where we are. Never rejects. */
  read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
      this.#flush();
    });
    return this.#reading;
  }

  hear({ entry }: RunMessage): void {
    this.#waiting.push(entry);
    this.#cancelFlush ??= this.#ports.setTimer(SHOW_EVERY_MS, () => {
      this.#cancelFlush = null;
      this.#flush();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelFlush?.();
  }

  async #readAll(): Promise<void> {
    try {
      this.#change({ detail: await this.#ports.client.run(this.#ports.run) });
      await this.#readTimeline();
      this.#change({ complete: true, problem: null });
    } catch (error) {
      this.#change({ problem: problemOf(error) });
    }
  }

  async #readTimeline(): Promise<void> {
    const runId = this.#data.detail?.run_id ?? this.#ports.run;
    let after: number | null = this.#lastSeq();
    while (after !== null && !this.#stopped) {
      const page = await this.#ports.client.runEvents(runId, { after, limit: PAGE });
      this.#append(page.events, page.unreadable);
      after = page.next;
    }
  }

  /** Shows what the stream brought; reads the transcript again when something is missing in between. */
  #flush(): void {
    if (this.#reading !== null || this.#waiting.length === 0) return;
    const [first] = this.#waiting.filter(({ seq }) => seq > this.#lastSeq());
    if (
      first !== undefined &&
      first.seq > this.#lastSeq() + 1 &&
      this.#data.problem === null &&
      !this.#skipped
    ) {
      // What cannot be had is asked for once: events that were not kept leave a gap for good.
      this.#skipped = true;
      void this.read();
      return;
    }
    this.#skipped = false;
    this.#append(this.#waiting.splice(0), 0);
  }
  #skipped = false;

  #append(entries: readonly TimelineEntry[], unreadable: number): void {
    let last = this.#lastSeq();
    const fresh = entries.filter(({ seq }) => {
      const isNew = seq > last;
      last = Math.max(last, seq);
      return isNew;
    });
    if (fresh.length === 0 && unreadable === 0) return;
    this.#change({
      entries: [...this.#data.entries, ...fresh],
      unreadable: this.#data.unreadable + unreadable,
    });
  }

  #lastSeq(): number {
    return this.#data.entries.at(-1)?.seq ?? 0;
  }

  #change(part: Partial<RunData>): void {
    if (this.#stopped) return;
    this.#data = { ...this.#data, ...part };
    for (const listener of this.#listeners) listener();
  }
}

function problemOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof ApiError)) return { code: 'unknown', message: 'the page could not ask' };
  return { code: error.code, message: `${error.message}${error.hint === null ? '' : `. ${error.hint}`}` };
}
