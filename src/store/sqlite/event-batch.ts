import type { Clock } from '../../domain/clock.ts';
import type { RunId } from '../../domain/run-event.ts';
import type { RuntimeEvent } from '../../scheduler/core/commands.ts';
import { createFlushTimer } from '../flush-timer.ts';
import type { TranscriptInfo } from '../journal.ts';
import type { Batch } from './write-tables.ts';

/** Rows that may reach the file a moment later, gathered so that many cost one transaction. */
export interface EventBatch {
  addEvent(event: RuntimeEvent): void;
  addTranscript(runId: RunId, info: TranscriptInfo): void;
  flush(): void;
  close(): void;
}

const FLUSH_MS = 250;
const RETRY_MS = 1000;
const EARLY_FLUSH_ROWS = 500;
/** In one burst, without a pause for the timer. */
const BURST_ROWS = 2000;
const MAX_WAITING_ROWS = 5000;
/** A batch the file refuses for what is in it, not for the state of the disk, is let go. */
const MAX_REFUSALS = 3;

export interface EventBatchOptions {
  readonly clock: Clock;
  /** `later` means the disk is away for now. */
  write(batch: Batch): 'written' | 'refused' | 'later';
}

export function createEventBatch({ clock, write }: EventBatchOptions): EventBatch {
  const timer = createFlushTimer(clock, flush);
  let events: RuntimeEvent[] = [];
  let transcripts = new Map<RunId, TranscriptInfo>();
  let refusals = 0;

  function flush(): void {
    timer.cancel();
    if (events.length === 0 && transcripts.size === 0) return;
    const verdict = write({ events, transcripts });
    refusals = verdict === 'refused' ? refusals + 1 : 0;
    if (verdict === 'written' || refusals >= MAX_REFUSALS) {
      events = [];
      transcripts = new Map();
      refusals = 0;
      return;
    }
    events = events.slice(-MAX_WAITING_ROWS);
    timer.within(RETRY_MS);
  }

  return {
    addEvent(event) {
      events.push(event);
      if (events.length % BURST_ROWS === 0) flush();
      else timer.within(events.length < EARLY_FLUSH_ROWS ? FLUSH_MS : 0);
    },
    addTranscript(runId, info) {
      transcripts.set(runId, info);
      timer.within(FLUSH_MS);
    },
    flush,
    close() {
      flush();
      timer.cancel();
    },
  };
}
