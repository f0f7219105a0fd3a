import type { Clock } from '../../domain/clock.ts';
import type { Survey } from '../../domain/survey.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { LastPoll, SchedulerState } from '../../scheduler/core/state.ts';
import { isSurveyDue } from '../../scheduler/rules/survey-due.ts';
import type { Tracker } from '../../trackers/tracker.ts';
import { withDeadline } from '../clock/deadline.ts';

const SURVEY_TIMEOUT_MS = 15_000;

type SurveyedTracker = Pick<Tracker, 'survey' | 'budget'>;

/** Looks now and then what the tracker holds besides active issues. No decision hangs on it, so its failures are only noted. */
export class SurveyPoller {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onDone: () => void;
  #tracker: SurveyedTracker | null = null;
  #poll: LastPoll | null = null;
  #surveyedAt: number | null = null;
  #busy = false;
  #last: Survey | null = null;
  #text = '';

  constructor(clock: Clock, logger: Logger, onDone: () => void) {
    this.#clock = clock;
    this.#logger = logger;
    this.#onDone = onDone;
  }

  /** True while the answer to the newest look is still to come. */
  get busy(): boolean {
    return this.#busy;
  }

  get last(): Survey | null {
    return this.#last;
  }

  /** Called after every change of state; looks at most once per poll. */
  note(state: SchedulerState, { tracker }: { readonly tracker: SurveyedTracker | null }): void {
    if (tracker !== this.#tracker) this.#forget(tracker);
    if (state.lastPoll === this.#poll || this.#busy || tracker?.survey === undefined) return;
    this.#poll = state.lastPoll;
    const question = {
      state,
      cost: tracker.survey.cost,
      surveyedAt: this.#surveyedAt,
      slowed: tracker.budget?.read().slowedUntil != null,
      now: this.#clock.elapsed(),
    };
    if (isSurveyDue(question)) void this.#look(tracker, tracker.survey.read);
  }

  #forget(tracker: SurveyedTracker | null): void {
    this.#tracker = tracker;
    this.#poll = null;
    this.#surveyedAt = null;
    this.#last = null;
    this.#text = '';
  }

  async #look(tracker: SurveyedTracker, read: (signal: AbortSignal) => Promise<Survey>): Promise<void> {
    this.#busy = true;
    this.#surveyedAt = this.#clock.elapsed();
    try {
      const survey = await withDeadline(this.#clock, SURVEY_TIMEOUT_MS, (signal) =>
        Promise.race([read(signal), rejectedBy(signal)]),
      );
      if (tracker === this.#tracker) this.#keep(survey);
    } catch (error) {
      this.#logger.debug('issues outside of the active states could not be looked at', {
        error: messageOf(error),
      });
    } finally {
      this.#busy = false;
    }
    this.#onDone();
  }

  #keep(survey: Survey): void {
    const text = JSON.stringify(survey);
    if (text === this.#text) return;
    this.#text = text;
    this.#last = survey;
  }
}

/** A look that does not heed its signal must not keep the next one from being taken. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
