import type { StateSnapshot } from '../../../src/contract/state.ts';
import { writeQuery } from '../place/place.ts';
import { adviceFor } from '../view/derive-blocked.ts';

/** Something a person is told of once. */
export interface Notice {
  /** The same for the same event, in every tab and after a restart of the worker. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  /** Where on the page it is. */
  readonly address: string;
}

const MAX_TEXT = 200;

/** What waits for a person now. What a person stopped by hand is no news to people. */
export function deriveNotices({ blocked }: StateSnapshot): readonly Notice[] {
  return blocked
    .filter(({ method }) => method !== 'operator')
    .map((row) => ({
      key: `${row.issue_id} ${row.blocked_at}`,
      title: `${row.issue_identifier}: ${adviceFor(row).heading}`,
      body: cut(row.question ?? row.title),
      address: `/${writeQuery({ q: row.issue_identifier })}`,
    }));
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
