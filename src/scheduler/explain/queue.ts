import type { Issue } from '../../domain/issue.ts';
import { nearest } from '../../domain/nearest.ts';
import { sameState } from '../../domain/state-name.ts';
import type { IgnoredItem, Survey, SurveyedIssue } from '../../domain/survey.ts';
import type { BlockedClaim, Claim, RetryingClaim, SchedulerState } from '../core/state.ts';
import type { retryReasons, WaitingIssue } from './explain.ts';

export type QueueReason =
  /** Ready: every slot is taken, or the worker starts nothing now. */
  | 'slot'
  | 'held_back'
  | 'not_active'
  | 'unknown_state'
  | 'no_state'
  | 'finished'
  /** By another issue. */
  | 'blocked'
  | 'needs_you'
  | 'retrying'
  | 'not_eligible';

export interface QueueGroup {
  readonly reason: QueueReason;
  readonly label: string;
  readonly count: number;
  readonly examples: readonly string[];
}

export interface QueueSummary {
  readonly seen: number;
  /** Whether `seen` counts every issue that is not finished. */
  readonly complete: boolean;
  readonly running: number;
  /** Nothing holds these back but a slot or the worker itself. */
  readonly ready: number;
  readonly groups: readonly QueueGroup[];
  readonly ignored: readonly IgnoredItem[];
}

const MAX_EXAMPLES = 3;
/** So many different labels under one reason are told one by one. */
const MAX_LABELS = 3;

/** Why the worker has something to do, or nothing: every issue it knows of, under the reason that keeps it from running. */
export function explainQueue(
  state: SchedulerState,
  waiting: readonly WaitingIssue[],
  survey: Survey | null,
  whyDue: ReturnType<typeof retryReasons> = () => null,
): QueueSummary {
  const collector = new Collector();
  const known = new Set<string>([...state.candidates.keys(), ...state.claims.keys()]);
  let ready = 0;
  for (const { issue, kind, reason } of waiting) {
    if (kind !== 'held') ready += 1;
    if (kind === 'slot') collector.add('slot', reason, issue);
    else if (kind === 'worker') collector.add('held_back', reason, issue);
    else if (kind === 'held') addHeld(collector, issue, reason);
  }
  for (const [, claim] of state.claims) {
    if (claim.phase === 'checking' && claim.retry === null) ready += 1;
    addClaim(collector, claim, whyDue(claim)?.reason ?? null);
  }
  for (const issue of survey?.others ?? []) {
    if (known.has(issue.id)) continue;
    known.add(issue.id);
    addOther(collector, issue, survey?.knownStates ?? null);
  }
  const finished = survey?.finished ?? 0;
  return {
    seen: known.size + finished,
    complete: survey?.complete === true,
    running: state.live.size,
    ready,
    groups: [
      ...collector.groups(),
      ...(finished === 0
        ? []
        : [{ reason: 'finished' as const, label: 'finished', count: finished, examples: [] }]),
    ].sort((a, b) => b.count - a.count),
    ignored: survey?.ignored ?? [],
  };
}

function addHeld(collector: Collector, issue: Issue, reason: string): void {
  const blockers = /^blocked by (.+)$/s.exec(reason)?.[1];
  if (blockers === undefined) collector.add('not_eligible', `held: ${reason}`, issue);
  else collector.add('blocked', `waits for ${blockers}`, issue);
}

function addClaim(collector: Collector, claim: Claim, whyDue: string | null): void {
  if (claim.phase === 'blocked') collector.add('needs_you', blockedLabel(claim), claim.issue);
  const retry = claim.phase === 'checking' ? claim.retry : claim;
  if (retry?.phase === 'retrying') collector.add('retrying', retryLabel(retry, whyDue), retry.issue);
}

function blockedLabel({ method }: BlockedClaim): string {
  return `needs you (${method})`;
}

const RETRY_LABELS: Readonly<Record<RetryingClaim['kind'], string>> = {
  failure: 'to be tried again after a failure',
  continuation: 'to be continued',
  quota_backoff: 'waiting for quota',
};

/** A retry that is due waits for something else than its time. */
function retryLabel({ kind }: RetryingClaim, whyDue: string | null): string {
  return whyDue === null ? RETRY_LABELS[kind] : `${RETRY_LABELS[kind]}, ${whyDue}`;
}

function addOther(collector: Collector, issue: SurveyedIssue, known: readonly string[] | null): void {
  const { state } = issue;
  if (state === null) {
    collector.add('no_state', 'without a state', issue);
    return;
  }
  const spelled = known === null ? state : known.find((name) => sameState(name, state));
  if (spelled !== undefined) collector.add('not_active', `${spelled} (not active)`, issue);
  else {
    const meant = nearest(state, known ?? []);
    const hint = meant === null ? '' : ` (did you mean ${meant}?)`;
    collector.add('unknown_state', `in unknown state ${JSON.stringify(state)}${hint}`, issue);
  }
}

/** What is said of many different labels together. */
const TOGETHER: Readonly<Record<QueueReason, string>> = {
  slot: 'waiting for a slot',
  held_back: 'held back',
  not_active: 'in other states that are not active',
  unknown_state: 'in unknown states',
  no_state: 'without a state',
  finished: 'finished',
  blocked: 'waiting for other issues',
  needs_you: 'waiting for you',
  retrying: 'to be tried again',
  not_eligible: 'held for other reasons',
};

interface Counted {
  count: number;
  readonly examples: string[];
}

/** Counts issues per reason and label. */
class Collector {
  readonly #reasons = new Map<QueueReason, Map<string, Counted>>();

  add(reason: QueueReason, label: string, { identifier }: Pick<Issue, 'identifier'>): void {
    const counts = this.#reasons.get(reason) ?? new Map<string, Counted>();
    this.#reasons.set(reason, counts);
    const counted = counts.get(label) ?? { count: 0, examples: [] };
    counts.set(label, counted);
    counted.count += 1;
    if (counted.examples.length < MAX_EXAMPLES) counted.examples.push(identifier);
  }

  /** Few labels stand by themselves, the largest first; of many, the rest goes together. */
  groups(): QueueGroup[] {
    return [...this.#reasons].flatMap(([reason, counts]) => {
      const sorted = [...counts]
        .map(([label, { count, examples }]) => ({ reason, label, count, examples }))
        .sort((a, b) => b.count - a.count);
      if (sorted.length <= MAX_LABELS) return sorted;
      const rest = sorted.slice(MAX_LABELS - 1);
      const count = rest.reduce((sum, group) => sum + group.count, 0);
      const examples = rest.flatMap((group) => group.examples).slice(0, MAX_EXAMPLES);
      return [...sorted.slice(0, MAX_LABELS - 1), { reason, label: TOGETHER[reason], count, examples }];
    });
  }
}
