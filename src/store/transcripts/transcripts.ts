import type { Clock } from '../../domain/clock.ts';
import type { RunEvent, RunId } from '../../domain/run-event.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { TranscriptInfo } from '../journal.ts';
import { createFlushTimer } from '../sqlite/flush-timer.ts';
import { formatEvent, formatLine } from './transcript-line.ts';
import { openTranscriptWriter, type TranscriptWriter } from './transcript-writer.ts';

export interface TranscriptsOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** After each write: what is kept of the run now. */
  onWritten(runId: RunId, info: TranscriptInfo): void;
}

/** The timelines of live runs on their way to the disk. */
export interface Transcripts {
  append(runId: RunId, at: number, event: RunEvent): void;
  /** The run is over: it is forgotten here once its last events are written. */
  end(runId: RunId): void;
  /** Writes what is pending. Never rejects. */
  flush(): Promise<void>;
  /** Why timelines are not being kept at present. */
  readonly trouble: string | null;
  close(): Promise<void>;
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

export function createTranscripts({ folder, clock, logger, onWritten }: TranscriptsOptions): Transcripts {
  const runs = new Map<RunId, OpenRun>();
  const timer = createFlushTimer(clock, () => void flush());
  let waiting = 0;
  let trouble: string | null = null;
  let flushing = Promise.resolve();

  function append(runId: RunId, at: number, event: RunEvent): void {
    const text = formatEvent(event);
    const run = runs.get(runId) ?? openRun(at);
    runs.set(runId, run);
    if (waiting + text.length > MAX_WAITING || run.waiting + text.length > MAX_WAITING_OF_RUN) {
      run.refusedNow += 1;
      return;
    }
    run.queue.push({ at, event: text });
    run.lastAt = at;
    run.waiting += text.length;
    waiting += text.length;
    timer.within(waiting > EARLY_FLUSH_CHARACTERS && trouble === null ? 0 : FLUSH_MS);
  }

  /** One write at a time, so that lines keep their order. */
  function flush(): Promise<void> {
    flushing = flushing.then(writeAll);
    return flushing;
  }

  async function writeAll(): Promise<void> {
    for (const [runId, run] of runs) {
      if (run.retryAt <= clock.elapsed() && (run.waiting > 0 || run.refusedNow > 0)) await tryRun(runId, run);
      if (run.ended && run.waiting === 0) runs.delete(runId);
    }
    const failing = [...runs.values()].filter((run) => run.trouble !== null);
    const [first] = failing;
    if (first === undefined && trouble !== null) {
      logger.info('run timelines are written to disk again', { folder });
    }
    trouble = first?.trouble ?? null;
    for (const run of failing) timer.within(Math.max(FLUSH_MS, run.retryAt - clock.elapsed()));
  }

  async function tryRun(runId: RunId, run: OpenRun): Promise<void> {
    try {
      await writeRun(runId, run);
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

  async function writeRun(runId: RunId, run: OpenRun): Promise<void> {
    const writer = run.writer ?? (await openTranscriptWriter(folder, runId));
    if (run.writer === null) Object.assign(run, { writer, seq: writer.lastSeq });
    const written = run.waiting;
    numberEvents(run);
    await writer.drain(run.lines);
    run.waiting -= written;
    waiting -= written;
    const { firstAt, lastAt, seq } = run;
    const dropped = writer.dropped + run.refused;
    onWritten(runId, { firstAt, lastAt, events: seq, dropped, bytes: writer.bytes });
  }

  return {
    append,
    end(runId) {
      const run = runs.get(runId);
      if (run !== undefined) run.ended = true;
      timer.within(FLUSH_MS);
    },
    flush,
    get trouble() {
      return trouble;
    },
    async close() {
      for (const run of runs.values()) run.retryAt = 0;
      await flush();
      timer.cancel();
    },
  };
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
