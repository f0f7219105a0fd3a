import type { Clock } from '../../domain/clock.ts';
import type { RunEvent, RunId } from '../../domain/run-event.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { createFlushTimer, type FlushTimer } from '../flush-timer.ts';
import type { TranscriptInfo } from '../journal.ts';
import { formatEvent, formatLine } from './transcript-line.ts';
import { openTranscriptWriter, type TranscriptWriter } from './transcript-writer.ts';

export interface TranscriptsOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** After each write: what is kept of the run now. */
  onWritten(runId: RunId, info: TranscriptInfo): void;
}

interface OpenRun {
  writer: TranscriptWriter | null;
  /** Events without a number yet. */
  queue: { readonly at: number; readonly event: string }[];
  /** Numbered lines the disk has not taken yet. */
  readonly lines: string[];
  seq: number;
  /** Events that came when too much was waiting: all of them, and those since the last write. */
  refused: number;
  refusedNow: number;
  firstAt: number;
  lastAt: number;
  waiting: number;
  ended: boolean;
  /** Set while the disk refuses this run's file. */
  trouble: string | null;
  retryAt: number;
  retryMs: number;
}

const FLUSH_MS = 250;
const EARLY_FLUSH_CHARACTERS = 256 * 1024;
/** What may wait in memory for a disk that refuses: of one run, of all. */
const MAX_WAITING_OF_RUN = 1024 * 1024;
const MAX_WAITING = 8 * 1024 * 1024;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** The timelines of live runs on their way to the disk. */
export class Transcripts {
  readonly #options: TranscriptsOptions;
  readonly #runs = new Map<RunId, OpenRun>();
  readonly #timer: FlushTimer;
  #waiting = 0;
  #trouble: string | null = null;
  #flushing = Promise.resolve();

  constructor(options: TranscriptsOptions) {
    this.#options = options;
    this.#timer = createFlushTimer(options.clock, () => void this.flush());
  }

  /** Why timelines are not being kept at present. */
  get trouble(): string | null {
    return this.#trouble;
  }

  append(runId: RunId, at: number, event: RunEvent): void {
    const text = formatEvent(event);
    const run = this.#runs.get(runId) ?? openRun(at);
    this.#runs.set(runId, run);
    if (this.#waiting + text.length > MAX_WAITING || run.waiting + text.length > MAX_WAITING_OF_RUN) {
      run.refusedNow += 1;
      return;
    }
    run.queue.push({ at, event: text });
    run.lastAt = at;
    run.waiting += text.length;
    this.#waiting += text.length;
    const early = this.#waiting > EARLY_FLUSH_CHARACTERS && this.#trouble === null;
    this.#timer.within(early ? 0 : FLUSH_MS);
  }

  /** The run is over: it is forgotten here once its last events are written. */
  end(runId: RunId): void {
    const run = this.#runs.get(runId);
    if (run !== undefined) run.ended = true;
    this.#timer.within(FLUSH_MS);
  }

  /** Writes what is pending, one write at a time, so that lines keep their order. Never rejects. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writeAll());
    return this.#flushing;
  }

  async close(): Promise<void> {
    for (const run of this.#runs.values()) run.retryAt = 0;
    await this.flush();
    this.#timer.cancel();
  }

  async #writeAll(): Promise<void> {
    const { folder, clock, logger } = this.#options;
    for (const [runId, run] of this.#runs) {
      const pending = run.waiting > 0 || run.refusedNow > 0;
      if (run.retryAt <= clock.elapsed() && pending) await this.#tryRun(runId, run);
      if (run.ended && run.waiting === 0) this.#runs.delete(runId);
    }
    const failing = [...this.#runs.values()].filter((run) => run.trouble !== null);
    const [first] = failing;
    if (first === undefined && this.#trouble !== null) {
      logger.info('run timelines are written to disk again', { folder });
    }
    this.#trouble = first?.trouble ?? null;
    for (const run of failing) this.#timer.within(Math.max(FLUSH_MS, run.retryAt - clock.elapsed()));
  }

  async #tryRun(runId: RunId, run: OpenRun): Promise<void> {
    const { folder, clock, logger } = this.#options;
    try {
      await this.#writeRun(runId, run);
      Object.assign(run, { trouble: null, retryAt: 0, retryMs: FIRST_RETRY_MS });
    } catch (error) {
      if (run.trouble === null) {
        logger.error('run timeline cannot be written', { run_id: runId, folder, error: messageOf(error) });
      }
      run.trouble = messageOf(error);
      run.retryAt = clock.elapsed() + run.retryMs;
      run.retryMs = Math.min(run.retryMs * 2, MAX_RETRY_MS);
    }
  }

  async #writeRun(runId: RunId, run: OpenRun): Promise<void> {
    const writer = run.writer ?? (await openTranscriptWriter(this.#options.folder, runId));
    if (run.writer === null) Object.assign(run, { writer, seq: writer.lastSeq });
    const written = run.waiting;
    numberEvents(run);
    await writer.drain(run.lines);
    run.waiting -= written;
    this.#waiting -= written;
    const { firstAt, lastAt, seq } = run;
    const dropped = writer.dropped + run.refused;
    this.#options.onWritten(runId, { firstAt, lastAt, events: seq, dropped, bytes: writer.bytes });
  }
}

function openRun(at: number): OpenRun {
  return {
    writer: null,
    queue: [],
    lines: [],
    seq: 0,
    refused: 0,
    refusedNow: 0,
    firstAt: at,
    lastAt: at,
    waiting: 0,
    ended: false,
    trouble: null,
    retryAt: 0,
    retryMs: FIRST_RETRY_MS,
  };
}

/** Refused events leave a gap in the numbers, after those that were accepted before them. */
function numberEvents(run: OpenRun): void {
  for (const { at, event } of run.queue) {
    run.seq += 1;
    run.lines.push(formatLine(run.seq, at, event));
  }
  run.queue = [];
  run.seq += run.refusedNow;
  run.refused += run.refusedNow;
  run.refusedNow = 0;
}
