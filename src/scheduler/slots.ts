import { normaliseState } from '../domain/state-name.ts';
import type { Draft } from './draft.ts';

/** Slots in use, counted once and then kept while dispatching. A live run counts under its current tracked state. */
export class SlotCount {
  readonly #draft: Draft;
  #total = 0;
  readonly #byState = new Map<string, number>();

  constructor(draft: Draft) {
    this.#draft = draft;
    for (const [, run] of draft.live.entries()) this.take(run.issue.state);
    for (const [, claim] of draft.claims.entries()) {
      if (claim.phase === 'checking') this.take(claim.issue.state);
    }
  }

  take(state: string): void {
    const key = normaliseState(state);
    this.#total += 1;
    this.#byState.set(key, (this.#byState.get(key) ?? 0) + 1);
  }

  get anyFree(): boolean {
    return this.#total < this.#draft.settings.maxConcurrentAgents;
  }

  /** Why no run may start in this state now, or null. */
  refusal(state: string): string | null {
    const { settings } = this.#draft;
    if (!this.anyFree) return `waiting for a slot (${this.#total} of ${settings.maxConcurrentAgents} in use)`;
    const key = normaliseState(state);
    const limit =
      settings.maxConcurrentByState.get(key) ?? settings.maxConcurrentByState.get(key.replaceAll(' ', '_'));
    const used = this.#byState.get(key) ?? 0;
    if (limit !== undefined && used >= limit)
      return `waiting for a slot in ${state} (${used} of ${limit} in use)`;
    return null;
  }
}
