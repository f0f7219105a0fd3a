import type { StateSnapshot } from '../../../src/contract/state.ts';

interface Row {
  readonly issue_identifier: string;
  readonly title: string;
  readonly state: string;
  readonly branch?: string | null | undefined;
  readonly agent_provider?: string | undefined;
  readonly agent_profile?: string | undefined;
}

/** The state with those rows only in which all words occur; counts stay as they are. */
export function filterState(snapshot: StateSnapshot, search: string): StateSnapshot {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return snapshot;
  const only = <R extends Row>(rows: readonly R[]): R[] => rows.filter((row) => holds(row, words));
  return {
    ...snapshot,
    running: only(snapshot.running),
    blocked: only(snapshot.blocked),
    retrying: only(snapshot.retrying),
    waiting: only(snapshot.waiting),
    ended: only(snapshot.ended),
    ...(snapshot.in_review === undefined ? {} : { in_review: only(snapshot.in_review) }),
    recent_events: snapshot.recent_events.filter(({ issue_identifier: issue = '', message }) =>
      contains(`${issue} ${message}`, words),
    ),
  };
}

function holds(row: Row, words: readonly string[]): boolean {
  const { issue_identifier: id, title, state, branch, agent_provider: agent, agent_profile: profile } = row;
  return contains([id, title, state, branch, agent, profile].join(' '), words);
}

function contains(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

export const SORTS = [
  ['', 'Worker’s order'],
  ['time', 'Longest first'],
  ['tokens', 'Most tokens first'],
  ['issue', 'By identifier'],
] as const;

/** The same rows in the order that was chosen; an order that does not apply to a list leaves it alone. */
export function sortState(snapshot: StateSnapshot, sort: string): StateSnapshot {
  switch (sort) {
    case 'time':
      return {
        ...snapshot,
        running: snapshot.running.toSorted((a, b) => b.runtime_seconds - a.runtime_seconds),
        ended: snapshot.ended.toSorted((a, b) => b.runtime_seconds - a.runtime_seconds),
      };
    case 'tokens':
      return {
        ...snapshot,
        running: snapshot.running.toSorted((a, b) => b.tokens.total_tokens - a.tokens.total_tokens),
        ended: snapshot.ended.toSorted((a, b) => b.tokens.total_tokens - a.tokens.total_tokens),
      };
    case 'issue':
      return {
        ...snapshot,
        running: byIdentifier(snapshot.running),
        waiting: byIdentifier(snapshot.waiting),
        ended: byIdentifier(snapshot.ended),
      };
    default:
      return snapshot;
  }
}

function byIdentifier<R extends Row>(rows: readonly R[]): R[] {
  return rows.toSorted((a, b) =>
    a.issue_identifier.localeCompare(b.issue_identifier, 'en', { numeric: true }),
  );
}
