import type { SchedulerState } from '../../scheduler/state.ts';
import type { Tracker } from '../../trackers/tracker.ts';

/** Counts the requests each poll took, agents' tools that asked meanwhile included. */
export class PollMeter {
  #tracker: Tracker | null = null;
  #poll: SchedulerState['lastPoll'] = null;
  #before: number | null = null;
  #last: number | null = null;

  /** Requests of the last poll; null when the tracker does not count them. */
  get requests(): number | null {
    return this.#last;
  }

  /** Called after every change of state. */
  note({ tick, lastPoll }: SchedulerState, tracker: Tracker | null): void {
    if (tracker !== this.#tracker) {
      this.#tracker = tracker;
      this.#before = null;
      this.#last = null;
    }
    const now = tracker?.budget?.read().requests ?? null;
    if (lastPoll !== this.#poll) {
      this.#poll = lastPoll;
      this.#last = now === null || this.#before === null ? null : now - this.#before;
      this.#before = now;
    }
    if (tick.phase === 'idle' || this.#before === null) this.#before = now;
  }
}
