import type { Issue } from '../../domain/issue.ts';

const LAST_RANK = 5;

/** Only 1..4 are ranks; 0, negatives, larger numbers and null share the last place. */
function rankOf(priority: number | null): number {
  return priority !== null && Number.isInteger(priority) && priority >= 1 && priority < LAST_RANK
    ? priority
    : LAST_RANK;
}

function createdMs(issue: Issue): number {
  const parsed = issue.createdAt === null ? Number.NaN : Date.parse(issue.createdAt);
  return Number.isNaN(parsed) ? Number.POSITIVE_INFINITY : parsed;
}

/** Dispatch order: priority, then oldest, then identifier. */
export function compareForDispatch(a: Issue, b: Issue): number {
  const byRank = rankOf(a.priority) - rankOf(b.priority);
  if (byRank !== 0) return byRank;
  const createdA = createdMs(a);
  const createdB = createdMs(b);
  if (createdA !== createdB) return createdA < createdB ? -1 : 1;
  return a.identifier < b.identifier ? -1 : a.identifier > b.identifier ? 1 : 0;
}
