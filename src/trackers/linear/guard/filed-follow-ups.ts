import { isRecord } from '../../../domain/is-record.ts';
import type { FollowUpLedger } from '../../../tools/run-tools.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';

/** An agent that files issue after issue is a runaway. */
const MAX_PER_ISSUE = 10;

/** Counts them before they are sent; refuses more than an issue may have. */
export function reserveFollowUps(ledger: FollowUpLedger | undefined, count: number): void {
  if (count === 0) return;
  if (ledger === undefined || ledger.read().count + count > MAX_PER_ISSUE)
    throw new ToolRefusal(
      'too_many_follow_ups',
      `An agent may file ${MAX_PER_ISSUE} follow-ups for an issue. Put the rest into one comment.`,
    );
  ledger.add({ count, names: [] });
}

/** Remembers what one part of an answer says was made. */
export function learnFollowUp(ledger: FollowUpLedger | undefined, issueId: string, payload: unknown): void {
  const made = isRecord(payload) && isRecord(payload['issue']) ? payload['issue'] : {};
  const names = [made['id'], made['identifier']].filter((name) => typeof name === 'string');
  const others = names.filter((name) => name !== issueId).map((name) => name.toLowerCase());
  if (others.length > 0) ledger?.add({ count: 0, names: others });
}

/** By id or identifier. */
export function isFollowUp(ledger: FollowUpLedger | undefined, name: string): boolean {
  return ledger?.read().names.includes(name.toLowerCase()) === true;
}
