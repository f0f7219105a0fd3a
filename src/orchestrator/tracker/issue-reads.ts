import type { Clock } from '../../domain/clock.ts';
import type { IssueId, RefreshOutcome } from '../../domain/issue.ts';
import type { ReadUrgency } from '../../scheduler/core/commands.ts';
import type { Tracker } from '../../trackers/tracker.ts';
import { type Answer, refreshIssues } from './tracker-calls.ts';

type Outcomes = Answer<ReadonlyMap<IssueId, RefreshOutcome>>;

/** How long a read waits for others to share its request. Next to a turn of an agent it is nothing. */
const GATHER_MS = 100;
const PATIENT_MS = 1_000;

interface Gathering {
  readonly tracker: Tracker;
  readonly ids: Set<IssueId>;
  readonly answer: Promise<Outcomes>;
  /** Sends it after this long at the latest. */
  sendWithin(ms: number): void;
}

/** Reads issues by id; reads that come shortly after each other become one request, where a tracker answers many at once. */
export class IssueReads {
  readonly #clock: Clock;
  #gathering: Gathering | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer may tell of more issues than were asked for. */
  read(tracker: Tracker | null, ids: readonly IssueId[], urgency?: ReadUrgency): Promise<Outcomes> {
    const limit = tracker?.idsPerRequest ?? 1;
    if (tracker === null || urgency === 'alone' || ids.length >= limit)
      return refreshIssues(this.#clock, tracker, ids);
    const open = this.#gathering;
    const fits = open !== null && open.tracker === tracker && open.ids.size + ids.length <= limit;
    const gathering = fits ? open : this.#gather(tracker);
    for (const id of ids) gathering.ids.add(id);
    gathering.sendWithin(urgency === 'patient' ? PATIENT_MS : GATHER_MS);
    return gathering.answer;
  }

  #gather(tracker: Tracker): Gathering {
    const ids = new Set<IssueId>();
    let send = (): void => {};
    const due = new Promise<void>((resolve) => {
      send = resolve;
    });
    const answer = due.then(() => {
      if (this.#gathering?.ids === ids) this.#gathering = null;
      return refreshIssues(this.#clock, tracker, [...ids]);
    });
    const sendWithin = (ms: number): void => void this.#clock.setTimer(ms, send);
    // The one before is full, or asks another tracker.
    this.#gathering?.sendWithin(0);
    this.#gathering = { tracker, ids, answer, sendWithin };
    return this.#gathering;
  }
}
