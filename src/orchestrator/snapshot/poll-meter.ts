import type { SchedulerState } from '../../scheduler/core/state.ts';
import type { Tracker } from '../../trackers/tracker.ts';

export interface PollRequests {
  readonly requests: number;
  /** How many of them the tracker answered with "not modified". */
  readonly notModified: number;
}

/** Counts the requests each poll took, agents' tools that asked meanwhile included. */
export class PollMeter {
  #tracker: Tracker | null = null;
  #poll: SchedulerState['lastPoll'] = null;
  #before: PollRequests | null = null;
  #last: PollRequests | null = null;

  /** Of the last poll; null when the tracker does not count them. */
  get last(): PollRequests | null {
    return this.#last;
  }

  /** Called after every change of state. */
  note({ tick, lastPoll }: SchedulerState, tracker: Tracker | null): void {
    if (tracker !== this.#tracker) {
      this.#tracker = tracker;
      this.#before = null;
      this.#last = null;
    }
    const now = tracker?.budget?.read() ?? null;
    if (lastPoll !== this.#poll) {
      this.#poll = lastPoll;
      this.#last = now === null || this.#before === null ? null : difference(now, this.#before);
      this.#before = now;
    }
    if (tick.phase === 'idle' || this.#before === null) this.#before = now;
  }
}

function difference(now: PollRequests, before: PollRequests): PollRequests {
  return { requests: now.requests - before.requests, notModified: now.notModified - before.notModified };
}
