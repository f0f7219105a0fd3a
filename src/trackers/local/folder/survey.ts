import { compareNaturally } from '../../../domain/natural-order.ts';
import { includesState } from '../../../domain/state-name.ts';
import { type IgnoredItem, MAX_SURVEYED, type Survey, type SurveyedIssue } from '../../../domain/survey.ts';
import { allStates, type LocalStates } from '../states.ts';
import type { Entry, Listing } from './listing.ts';

/** What a listing of the folder shows besides the issues in active states. */
export function surveyFolder(
  { strangers }: Pick<Listing, 'strangers'>,
  entries: readonly Entry[],
  states: LocalStates,
): Survey {
  const others: SurveyedIssue[] = [];
  const ignored: IgnoredItem[] = [...strangers];
  let finished = 0;
  for (const entry of entries) {
    if (entry.kind === 'broken') {
      ignored.push({ name: `${entry.id}.md`, why: entry.problem });
      continue;
    }
    const { state } = entry.content.fields;
    if (includesState(states.terminal, state)) finished += 1;
    else if (!includesState(states.active, state)) others.push({ id: entry.id, identifier: entry.id, state });
  }
  return {
    others: others.slice(0, MAX_SURVEYED),
    complete: others.length <= MAX_SURVEYED,
    finished,
    knownStates: allStates(states, []),
    ignored: ignored.sort((a, b) => compareNaturally(a.name, b.name)),
  };
}
