import type { Logger } from '../../../observability/logger.ts';
import { createRepeatFilter } from '../../repeat-filter.ts';
import type { StateReading } from '../states/label-states.ts';

/** Warns of each thing that is wrong with an issue once, not at every poll. */
export interface ProblemLog {
  labels(number: number, reading: StateReading): void;
  record(number: number, listing: string): void;
  listing(listing: string, problem: string | null): void;
}

const MESSAGES = {
  missing_state_label: 'Issue has no state label; it is left alone',
  unknown_state_label: 'Issue has a state label that is not in the table; it is left alone',
  conflicting_state_labels: 'Issue has several state labels; the first of the table counts',
} as const;

export function createProblemLog(logger: Logger): ProblemLog {
  const isNew = createRepeatFilter();
  return {
    labels(number, { problem, labels }) {
      const isNews = isNew(`labels ${number}`, problem === null ? null : `${problem} ${labels.join()}`);
      if (problem !== null && isNews)
        logger.warn(MESSAGES[problem], { issue_id: String(number), problem, labels });
    },
    record(number, listing) {
      if (isNew(`record ${number}`, listing))
        logger.warn('Issue is not valid; it is left out', { issue_id: String(number), listing });
    },
    listing(listing, problem) {
      if (isNew(`listing ${listing}`, problem)) logger.warn('Listing is not complete', { listing, problem });
    },
  };
}
