import type { Issue } from '../../domain/issue.ts';
import { normaliseState } from '../../domain/state-name.ts';
import { whyUntrusted } from '../../domain/trust.ts';
import type { SchedulerSettings } from '../core/settings.ts';

/** Where an issue stands by its state alone; terminal wins over active. */
export type Standing = 'active' | 'terminal' | 'inactive';

export function standingOf(state: string, settings: SchedulerSettings): Standing {
  const key = normaliseState(state);
  if (settings.terminalSet.has(key)) return 'terminal';
  return settings.activeSet.has(key) ? 'active' : 'inactive';
}

/** Why a present, active issue may not be worked on (SPEC `issue_routable`), or null. */
export function whyUnroutable(issue: Issue, settings: SchedulerSettings): string | null {
  const untrusted = whyUntrusted(issue, settings.trust);
  if (untrusted !== null) return untrusted;
  if (!issue.dispatchable) return issue.undispatchableReason ?? 'the tracker says it is not dispatchable';
  return whyLabelsMissing(issue, settings);
}

/** Which required labels an issue lacks, or null. */
export function whyLabelsMissing(issue: Issue, { requiredLabels }: SchedulerSettings): string | null {
  const missing = requiredLabels.filter((label) => label === '' || !issue.labels.includes(label));
  if (missing.length === 0) return null;
  if (missing.includes('')) return 'tracker.required_labels has a blank entry, which no issue can match';
  return `missing label ${missing.join(', ')}`;
}

/** Why an issue may not be dispatched by its own data, slots and claims aside, or null. */
export function whyIneligible(issue: Issue, settings: SchedulerSettings): string | null {
  for (const field of ['id', 'identifier', 'title', 'state'] as const) {
    if (issue[field].trim() === '') return `the issue has no ${field}`;
  }
  const standing = standingOf(issue.state, settings);
  if (standing !== 'active')
    return `state ${issue.state} is ${standing === 'terminal' ? 'terminal' : 'not active'}`;
  return whyUnroutable(issue, settings);
}
