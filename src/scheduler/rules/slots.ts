import { normaliseState } from '../../domain/state-name.ts';
import type { Draft } from '../core/draft.ts';
import type { Agent, Routed } from '../core/profile.ts';
import { agentFor } from '../core/settings.ts';

/** Slots in use, counted once and then kept while dispatching. A live run counts under its current tracked state. */
export class SlotCount {
  readonly #draft: Draft;
  /** Whether any profile has a limit, so that it matters who runs an issue. */
  readonly #limited: boolean;
  #total = 0;
  readonly #byState = new Map<string, number>();
  readonly #byProfile = new Map<string, number>();

  constructor(draft: Draft) {
    this.#draft = draft;
    this.#limited = draft.settings.profiles.agents.some(({ maxConcurrent }) => maxConcurrent !== null);
    for (const [, run] of draft.live.entries()) this.#count(run.issue.state, run.agent.profile);
    for (const [, claim] of draft.claims.entries()) {
      if (claim.phase === 'checking') this.take(claim.issue);
    }
  }

  take(issue: Routed): void {
    this.#count(issue.state, this.#limitedAgent(issue)?.profile ?? null);
  }

  get anyFree(): boolean {
    return this.#total < this.#draft.settings.maxConcurrentAgents;
  }

  /** Why no run of this issue may start now, or null. */
  refusal(issue: Routed): string | null {
    const { settings } = this.#draft;
    if (!this.anyFree) return `waiting for a slot (${this.#total} of ${settings.maxConcurrentAgents} in use)`;
    const key = normaliseState(issue.state);
    const limit =
      settings.maxConcurrentByState.get(key) ?? settings.maxConcurrentByState.get(key.replaceAll(' ', '_'));
    const used = this.#byState.get(key) ?? 0;
    if (limit !== undefined && used >= limit)
      return `waiting for a slot in ${issue.state} (${used} of ${limit} in use)`;
    return this.#profileRefusal(this.#limitedAgent(issue));
  }

  #profileRefusal(agent: Agent | null): string | null {
    if (agent === null || agent.profile === null || agent.maxConcurrent === null) return null;
    const used = this.#byProfile.get(agent.profile) ?? 0;
    if (used < agent.maxConcurrent) return null;
    return `waiting for a slot of profile ${agent.profile} (${used} of ${agent.maxConcurrent} in use)`;
  }

  /** Who would run the issue; null while it does not matter. */
  #limitedAgent(issue: Routed): Agent | null {
    return this.#limited ? agentFor(issue, this.#draft.settings).agent : null;
  }

  #count(state: string, profile: string | null): void {
    const key = normaliseState(state);
    this.#total += 1;
    this.#byState.set(key, (this.#byState.get(key) ?? 0) + 1);
    if (profile !== null) this.#byProfile.set(profile, (this.#byProfile.get(profile) ?? 0) + 1);
  }
}
