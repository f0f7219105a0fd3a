import type { WaitingRow } from '../../contract/claim-rows.ts';
import { LIST_LIMITS } from '../../contract/limits.ts';
import type { Queue } from '../../contract/queue.ts';
import type { Survey } from '../../domain/survey.ts';
import { redactTexts } from '../../observability/redact-texts.ts';
import type { SchedulerSettings } from '../../scheduler/core/settings.ts';
import type { SchedulerState } from '../../scheduler/core/state.ts';
import { BEING_CONFIRMED, explainWaiting, retryReasons } from '../../scheduler/explain/explain.ts';
import { explainQueue, type QueueSummary } from '../../scheduler/explain/queue.ts';
import { cleanRow, type Redact } from './clean-rows.ts';
import { waitingRow } from './rows.ts';

/** Reasons name slots and states of live runs, which may change without a claim changing. */
const MAX_AGE_MS = 1_000;

export interface WaitingRows {
  readonly rows: WaitingRow[];
  /** Also those beyond the bound. */
  readonly total: number;
  readonly queue: Queue;
}

/** Who waits and why. With thousands of candidates it is costly, so it is kept while nothing it depends on changes. */
export class WaitingList {
  readonly #redact: Redact;
  #kept: { readonly key: readonly unknown[]; readonly at: number; readonly answer: WaitingRows } | null =
    null;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  get(
    state: SchedulerState,
    settings: SchedulerSettings,
    now: number,
    survey: Survey | null = null,
  ): WaitingRows {
    const { candidates, claims, records, cleaning, paused, draining, intake, live, spent } = state;
    const worker = [paused, draining, intake, live.size, spent, settings];
    const key = [candidates, claims, records, cleaning, survey, ...worker];
    const kept = this.#kept;
    const age = kept === null ? Number.POSITIVE_INFINITY : now - kept.at;
    if (kept !== null && age >= 0 && age < MAX_AGE_MS && key.every((part, index) => part === kept.key[index]))
      return kept.answer;
    const { rows, total, queue } = list(state, settings, now, survey);
    const answer = {
      rows: rows.map((row) => cleanRow(row, this.#redact)),
      total,
      queue: redactTexts(queue, this.#redact),
    };
    this.#kept = { key, at: now, answer };
    return answer;
  }
}

function list(
  state: SchedulerState,
  settings: SchedulerSettings,
  now: number,
  survey: Survey | null,
): WaitingRows {
  const checked = checkedRows(state, settings);
  const waiting = explainWaiting(state, settings, now);
  const shown = waiting
    .slice(0, Math.max(0, LIST_LIMITS.waiting - checked.length))
    .map((row) => waitingRow(row, settings));
  const queue = queueRow(explainQueue(state, waiting, survey, retryReasons(state, settings, now)));
  return { rows: [...checked, ...shown], total: checked.length + waiting.length, queue };
}

export function queueRow({ ignored, groups, ...counts }: QueueSummary): Queue {
  return {
    ...counts,
    groups: groups.map((group) => ({ ...group, examples: [...group.examples] })),
    ignored: ignored.slice(0, LIST_LIMITS.ignored).map((item) => ({ ...item })),
    ignored_total: ignored.length,
  };
}

/** Candidates that have their slot and are read once more before their run starts. */
function checkedRows({ claims }: SchedulerState, settings: SchedulerSettings): WaitingRow[] {
  const rows: WaitingRow[] = [];
  for (const claim of claims.values()) {
    if (claim.phase !== 'checking' || claim.retry !== null) continue;
    rows.push(waitingRow({ issue: claim.issue, ...BEING_CONFIRMED }, settings));
  }
  return rows;
}
