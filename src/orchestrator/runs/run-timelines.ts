import type { RunEvent, RunId } from '../../domain/run-event.ts';
import type { Logger } from '../../observability/logger.ts';
import type { LiveRun } from '../../scheduler/core/state.ts';
import type { Journal } from '../../store/journal.ts';
import { Observers } from '../observers.ts';

/** Told of what a live run reports: which run, the event's number in its timeline, when, what. */
export type RunObserver = (runId: RunId, seq: number, at: number, event: RunEvent) => void;

/** Numbers the events of live runs, records them in the journal and tells those who follow. */
export class RunTimelines {
  readonly observers: Observers<Parameters<RunObserver>>;
  readonly #journal: Journal;
  readonly #logger: Logger;
  /** How many events each live run has reported: the number its next one gets in the timeline, less one. */
  readonly #seq = new Map<RunId, number>();

  constructor(journal: Journal, logger: Logger) {
    this.#journal = journal;
    this.#logger = logger;
    this.observers = new Observers(logger);
  }

  /** `run` is what the scheduler knows of it. */
  record(runId: RunId, run: LiveRun | undefined, event: RunEvent, at: number): void {
    const seq = (this.#seq.get(runId) ?? 0) + 1;
    this.#seq.set(runId, seq);
    this.#journal.appendRunEvent(runId, at, event);
    this.observers.tell(runId, seq, at, event);
    if (event.type !== 'agent' || event.event.type !== 'session_started') return;
    this.#logger.info('agent session started', {
      issue_id: run?.issue.id,
      issue_identifier: run?.issue.identifier,
      run_id: runId,
      session_id: event.event.sessionId,
      resumed: event.event.resumed,
    });
  }

  forget(runId: RunId): void {
    this.#seq.delete(runId);
  }
}
