import type { Issue } from '../../domain/issue.ts';
import type { Spend } from '../../domain/spend.ts';
import { whyUntrusted } from '../../domain/trust.ts';
import { Draft } from '../core/draft.ts';
import { initialState } from '../core/initial-state.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { IssueRecord } from '../core/state.ts';
import { exhaustedBudget } from '../rules/budgets.ts';
import { standingOf, whyLabelsMissing } from '../rules/eligibility.ts';
import { spentByIssue } from '../rules/spending.ts';

/** One thing that must hold for an issue to run, and whether it does. */
export interface IssueRule {
  readonly name: 'state' | 'author' | 'tracker' | 'required_labels' | 'stop' | 'hold' | 'budget' | 'progress';
  readonly ok: boolean;
  /** For people: why it holds or does not. */
  readonly text: string;
}

/** What one issue has used of a budget; `limit` is null without one. */
export interface BudgetUse {
  readonly unit: keyof Spend;
  readonly used: number;
  readonly limit: number | null;
}

/**
 * Every rule about the issue itself, in the order in which dispatch asks them: what the tracker says of it, then what is
 * remembered of it. Slots and the worker as a whole are not in it.
 */
export function explainRules(
  issue: Issue,
  record: IssueRecord | null,
  settings: SchedulerSettings,
  now: number,
): readonly IssueRule[] {
  return [
    stateRule(issue, settings),
    authorRule(issue, settings),
    {
      name: 'tracker',
      ok: issue.dispatchable,
      text: issue.dispatchable
        ? 'nothing in the tracker holds it back: no open blocker, no foreign assignee'
        : (issue.undispatchableReason ?? 'the tracker says it is not dispatchable'),
    },
    labelRule(issue, settings),
    ...(record === null ? [] : rememberedRules(record, settings, now)),
  ];
}

function stateRule({ state }: Issue, settings: SchedulerSettings): IssueRule {
  const standing = standingOf(state, settings);
  const active = settings.activeStates.join(', ');
  const texts = {
    active: `${state} is an active state (${active})`,
    terminal: `${state} is a final state: the issue is over`,
    inactive: `${state} is not an active state; those are ${active}`,
  };
  return { name: 'state', ok: standing === 'active', text: texts[standing] };
}

function authorRule(issue: Issue, { trust }: SchedulerSettings): IssueRule {
  const untrusted = whyUntrusted(issue, trust);
  if (untrusted !== null) return { name: 'author', ok: false, text: untrusted };
  const text =
    trust === null ? 'tracker.trust is not set: issues of everybody may run' : 'tracker.trust lets it in';
  return { name: 'author', ok: true, text };
}

function labelRule(issue: Issue, settings: SchedulerSettings): IssueRule {
  const { requiredLabels } = settings;
  if (requiredLabels.length === 0)
    return { name: 'required_labels', ok: true, text: 'tracker.required_labels asks for none' };
  const missing = whyLabelsMissing(issue, settings);
  const text = missing ?? `it has what is required: ${requiredLabels.join(', ')}`;
  return { name: 'required_labels', ok: missing === null, text };
}

/** A record whose issue has left the active states counts from nothing at the next dispatch. */
function rememberedRules(
  record: IssueRecord,
  settings: SchedulerSettings,
  now: number,
): readonly IssueRule[] {
  const draft = new Draft(initialState('explain'), now, settings);
  const fresh = record.leftActive;
  const exhausted = fresh ? null : exhaustedBudget(draft, record, null);
  const latched = record.operatorStop?.latched === true;
  const { noProgressRuns: limit } = settings;
  const idle = fresh ? 0 : record.noProgressRuns;
  const { claim } = record;
  return [
    {
      name: 'stop',
      ok: !latched,
      text: latched
        ? 'stopped by a person, then reopened by the run being stopped; clear the stop to go on'
        : 'nobody has stopped it for good',
    },
    {
      name: 'hold',
      ok: claim?.phase !== 'blocked',
      text:
        claim?.phase === 'blocked' ? `held (${claim.method}): ${claim.error}` : 'nothing waits for a person',
    },
    {
      name: 'budget',
      ok: exhausted === null,
      text: exhausted?.detail ?? 'no budget of the issue is used up',
    },
    {
      name: 'progress',
      ok: limit === 0 || idle < limit,
      text: `${idle} run${idle === 1 ? '' : 's'} in a row without progress${limit === 0 ? '' : `; ${limit} hold the issue`}`,
    },
  ];
}

/** What the issue has used since a person last put it into an active state. */
export function budgetUse(
  record: IssueRecord | null,
  settings: SchedulerSettings,
  now: number,
): readonly BudgetUse[] {
  const fresh = record === null || record.leftActive;
  const spent = fresh ? null : spentByIssue(record, null, now);
  const limits = settings.budgets.issue;
  return (['turns', 'tokens', 'usd', 'runtimeMs'] as const).map((unit) => ({
    unit,
    used: spent?.[unit] ?? 0,
    limit: limits[unit],
  }));
}
