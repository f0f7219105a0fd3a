import type { Issue } from '../../domain/issue.ts';
import type { SchedulerState } from '../../scheduler/core/state.ts';
import type { RecentHistory } from '../history/recent-history.ts';

export type IssueName = Pick<Issue, 'id' | 'identifier'>;

/** An issue the worker knows, by id or identifier in any case; issues it works on come first. */
export function findIssue(state: SchedulerState, history: RecentHistory, name: string): IssueName | null {
  const wanted = name.toLowerCase();
  for (const { id, identifier } of knownIssues(state)) {
    if (identifier.toLowerCase() === wanted || id.toLowerCase() === wanted) return { id, identifier };
  }
  const seen = history.findSeen(name);
  return seen === null ? null : { id: seen.issueId, identifier: seen.identifier };
}

function* knownIssues({ live, claims, candidates, records, held }: SchedulerState): Iterable<IssueName> {
  for (const { issue } of live.values()) yield issue;
  for (const claim of claims.values()) if (claim.phase !== 'running') yield claim.issue;
  yield* candidates.values();
  for (const { issueId: id, identifier } of records.values()) yield { id, identifier };
  for (const [id, identifier] of held) yield { id, identifier };
}
