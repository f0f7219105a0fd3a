import type { Issue } from '../../domain/issue.ts';
import type { Draft } from '../core/draft.ts';
import { exhaustedForAll } from './budgets.ts';
import { whyIneligible } from './eligibility.ts';
import { SlotCount } from './slots.ts';

/** What keeps an issue from starting: something of its own, the worker as a whole, or the lack of a slot. */
export interface WaitReason {
  readonly kind: 'held' | 'worker' | 'slot';
  readonly reason: string;
}

/** Why an issue does not start now: the one answer, for dispatch and for whoever wants to know. Slots are counted once. */
export class WaitRules {
  readonly slots: SlotCount;
  readonly #draft: Draft;
  readonly #nobody: string | null;

  constructor(draft: Draft) {
    this.#draft = draft;
    this.slots = new SlotCount(draft);
    this.#nobody = whyNobodyMayStart(draft);
  }

  /** False when the answer is the same for every issue: it waits. */
  get anybodyMayStart(): boolean {
    return this.#nobody === null && this.slots.anyFree && this.#draft.intake !== 'closed';
  }

  /** Of an unclaimed candidate; null when it could start now. */
  ofCandidate(issue: Issue): WaitReason | null {
    const held = whyHeld(this.#draft, issue);
    return held === null ? this.ofRetry(issue) : { kind: 'held', reason: held };
  }

  /** Of a retry that is due; null when it could start now. Its issue is read once more before the run. */
  ofRetry(issue: Issue): WaitReason | null {
    if (this.#nobody !== null) return { kind: 'worker', reason: this.#nobody };
    const refusal = this.slots.refusal(issue);
    if (refusal !== null) return { kind: 'slot', reason: refusal };
    return this.#draft.intake === 'closed'
      ? { kind: 'worker', reason: 'this worker was asked for one poll only' }
      : null;
  }
}

/** Why no run may start at all now, or null. */
export function whyNobodyMayStart(draft: Draft): string | null {
  if (draft.draining) return 'the worker is shutting down';
  const [preflight] = draft.settings.preflightErrors;
  if (preflight !== undefined) return `dispatch is off: ${preflight}`;
  if (draft.paused) return 'paused';
  return exhaustedForAll(draft, true)?.detail ?? null;
}

/** What holds this very issue back, slots and the worker aside, or null. */
export function whyHeld(draft: Draft, issue: Issue): string | null {
  if (draft.cleaning.has(issue.id)) return 'its workspace is being removed';
  if (draft.records.get(issue.id)?.operatorStop?.latched === true) {
    return 'stopped by a person, then reopened by the run being stopped; clear the stop to go on';
  }
  return whyIneligible(issue, draft.settings);
}

/** When a retry that is due starts, for people. */
export function whenDueRetryStarts(draft: Draft, issue: Issue): string {
  const waiting = new WaitRules(draft).ofRetry(issue);
  return waiting?.kind === 'worker'
    ? `as soon as the worker starts runs again (${waiting.reason})`
    : 'as soon as a slot is free';
}
