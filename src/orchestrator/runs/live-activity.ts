import type { AgentEvent } from '../../domain/agent-event.ts';
import type { RunEvent, RunId } from '../../domain/run-event.ts';

/** What only people want to know of a live run: no decision depends on it. */
export interface RunActivity {
  readonly phaseDetail: string | null;
  /** Kind of the agent's last event. */
  readonly lastEvent: string | null;
  /** When that was, unless the scheduler has been told. */
  readonly lastEventAt: number | null;
  readonly lastMessage: string | null;
  readonly turnId: string | null;
  readonly pid: number | null;
}

type RateLimits = Readonly<Record<string, unknown>>;

/** The activity of all live runs at one moment. */
export interface ActivityView {
  /** Another number whenever something has changed. */
  readonly revision: number;
  readonly rateLimits: RateLimits | null;
  of(runId: RunId): RunActivity;
}

/** An agent that names ever new limits is heard, but not for ever. */
const MAX_RATE_LIMITS = 50;

const NOTHING: RunActivity = {
  phaseDetail: null,
  lastEvent: null,
  lastEventAt: null,
  lastMessage: null,
  turnId: null,
  pid: null,
};

/** Follows what live runs report, for display. It stays out of the scheduler's state, so an activity line costs no transition. */
export class LiveActivity {
  readonly #runs = new Map<RunId, RunActivity>();
  #heard = new Map<RunId, number>();
  #rateLimits: RateLimits | null = null;
  #revision = 0;

  get view(): ActivityView {
    return {
      revision: this.#revision,
      rateLimits: this.#rateLimits,
      of: (runId) => this.#runs.get(runId) ?? NOTHING,
    };
  }

  note(runId: RunId, event: RunEvent, at: number): void {
    this.#revision += 1;
    const before = this.#runs.get(runId) ?? NOTHING;
    if (event.type === 'phase') this.#runs.set(runId, { ...before, phaseDetail: event.detail });
    else if (event.type === 'push_failed')
      this.#runs.set(runId, { ...before, lastMessage: `push failed: ${event.message}` });
    else if (event.type === 'agent') {
      this.#heard.set(runId, at);
      const seen = { ...before, lastEvent: event.event.type, lastEventAt: at };
      this.#runs.set(runId, { ...seen, ...this.#shownOf(event.event) });
    }
  }

  /** When each agent was last heard, if the scheduler has not been told; null when there is nothing to tell. */
  takeHeard(): ReadonlyMap<RunId, number> | null {
    if (this.#heard.size === 0) return null;
    const heard = this.#heard;
    this.#heard = new Map();
    for (const runId of heard.keys()) {
      const known = this.#runs.get(runId);
      if (known !== undefined) this.#runs.set(runId, { ...known, lastEventAt: null });
    }
    return heard;
  }

  forget(runId: RunId): void {
    this.#runs.delete(runId);
    this.#heard.delete(runId);
  }

  #shownOf(event: AgentEvent): Partial<RunActivity> {
    switch (event.type) {
      case 'session_started':
        return { pid: event.pid };
      case 'turn_started':
        return { turnId: event.turnId };
      case 'activity':
        return { lastMessage: event.text };
      case 'turn_failed':
      case 'startup_failed':
        return { lastMessage: event.message };
      case 'rate_limits':
        this.#rateLimits = newestLimits({ ...this.#rateLimits, ...event.rateLimits });
        return {};
      default:
        return {};
    }
  }
}

function newestLimits(limits: RateLimits): RateLimits {
  const entries = Object.entries(limits);
  return entries.length <= MAX_RATE_LIMITS ? limits : Object.fromEntries(entries.slice(-MAX_RATE_LIMITS));
}
