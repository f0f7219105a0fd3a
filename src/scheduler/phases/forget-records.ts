import { addUsage, ZERO_USAGE } from '../../domain/usage.ts';
import type { Draft } from '../core/draft.ts';
import type { IssueRecord } from '../core/state.ts';

/** Forgets issues that nothing was heard of for the retention time and that nobody holds; what they used is told once, as a sum. */
export function forgetOldRecords(draft: Draft): void {
  const keptMs = draft.settings.recordsKeptMs ?? null;
  // Who is active is known from a listing only.
  if (keptMs === null || draft.lastPoll?.ok !== true) return;
  const before = draft.now - keptMs;
  let runs = 0;
  let usage = ZERO_USAGE;
  let count = 0;
  for (const [id, record] of [...draft.records.entries()]) {
    if (!isLongGone(draft, id, record, before)) continue;
    draft.records.delete(id);
    draft.emit({ type: 'forget_record', issueId: id });
    count += 1;
    runs += record.lifetime.runs;
    usage = addUsage(usage, record.lifetime.usage);
  }
  if (count === 0) return;
  const days = Math.round(keptMs / 86_400_000);
  const sum = `${runs} runs, ${usage.totalTokens} tokens`;
  draft.publish('records_folded', `${count} issues not heard of for ${days} days are forgotten (${sum})`);
}

function isLongGone(draft: Draft, id: string, record: IssueRecord, before: number): boolean {
  if (record.claim !== null || (record.savedAt ?? draft.now) >= before) return false;
  if (draft.claims.has(id) || draft.held.has(id) || draft.candidates.has(id)) return false;
  return !draft.cleaning.has(id) && !draft.pushing.has(id);
}
