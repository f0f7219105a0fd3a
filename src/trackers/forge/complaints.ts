import type { Logger } from '../../observability/logger.ts';
import type { StateReading } from './label-states.ts';

/** Says each thing that is wrong with an issue once, not at every poll. */
export interface Complaints {
  aboutLabels(number: number, reading: StateReading): void;
  aboutRecord(number: number, where: string): void;
  aboutListing(listing: string, problem: string | null): void;
}

const MESSAGES = {
  missing_state_label: 'Issue has no state label; it is left alone',
  unknown_state_label: 'Issue has a state label that is not in the table; it is left alone',
  conflicting_state_labels: 'Issue has several state labels; the first of the table counts',
} as const;

export function createComplaints(logger: Logger): Complaints {
  const told = new Map<string, string>();

  function isNews(about: string, what: string | null): boolean {
    if (what === null) {
      told.delete(about);
      return false;
    }
    if (told.get(about) === what) return false;
    told.set(about, what);
    return true;
  }

  return {
    aboutLabels(number, { problem, labels }) {
      if (!isNews(`labels ${number}`, problem === null ? null : `${problem} ${labels.join()}`)) return;
      if (problem !== null) logger.warn(MESSAGES[problem], { issue_id: String(number), problem, labels });
    },
    aboutRecord(number, where) {
      if (isNews(`record ${number}`, where))
        logger.warn('Issue is not valid; it is left out', { issue_id: String(number), listing: where });
    },
    aboutListing(listing, problem) {
      if (isNews(`listing ${listing}`, problem)) logger.warn('Listing is not complete', { listing, problem });
    },
  };
}
