import type { Issue, IssueId, RefreshOutcome } from '../../src/domain/issue.ts';
import { type ToolResult, toolFailure } from '../../src/domain/tool.ts';
import { AppError } from '../../src/errors/app-error.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { makeIssue } from '../fakes/scheduler-fixture.ts';
import type { Random } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface TrackerFaults {
  /** Chance that a call fails. */
  error: number;
  /** Chance that one id of a refresh comes back unknown. */
  unknown: number;
  /** Chance that a call takes up to a minute. */
  slow: number;
  /** Chance that a refresh of several ids lacks some of them, as a short page does. */
  short: number;
}

/** The truth about the issues, and a tracker that tells it late, in part, sometimes not at all. */
export class SimTracker {
  readonly issues = new Map<IssueId, Issue>();
  /** What the worker was last told about each id: stops and removals must agree with it. */
  readonly lastTold = new Map<IssueId, RefreshOutcome>();
  faults: TrackerFaults;
  requests = 0;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  /** As one whose requests are for single issues, or for many. */
  idsPerRequest = 1;

  constructor(clock: VirtualClock, random: Random, faults: TrackerFaults) {
    this.#clock = clock;
    this.#random = random;
    this.faults = faults;
  }

  add(id: string, fields: Partial<Issue>): void {
    this.issues.set(id, makeIssue(id, fields));
  }

  move(id: string, state: string): void {
    const issue = this.issues.get(id);
    if (issue !== undefined) this.issues.set(id, { ...issue, state });
  }

  label(id: string, labels: readonly string[]): void {
    const issue = this.issues.get(id);
    if (issue !== undefined) this.issues.set(id, { ...issue, labels });
  }

  asTracker(): Tracker {
    return {
      kind: 'simulated',
      idsPerRequest: this.idsPerRequest,
      fetchIssuesByStates: async (states, signal) => {
        await this.#travel(signal);
        const wanted = new Set(states.map((state) => state.toLowerCase()));
        return [...this.issues.values()].filter((issue) => wanted.has(issue.state.toLowerCase()));
      },
      fetchIssuesByIds: async (ids, signal) => {
        await this.#travel(signal);
        const told = this.#pageOf(ids.length);
        return new Map(ids.map((id, index) => [id, index < told ? this.#outcome(id) : { kind: 'absent' }]));
      },
      tools: {
        specs: [],
        secretEnvironmentNames: [],
        execute: async ({ arguments: wanted }, { issue }) => this.#moveByTool(issue.id, wanted),
      },
      changes: null,
    };
  }

  #moveByTool(id: IssueId, wanted: unknown): ToolResult {
    const to = (wanted as { readonly state: string }).state;
    const from = this.issues.get(id)?.state;
    if (from === undefined) return toolFailure('not_found', 'there is no such issue');
    this.move(id, to);
    return { success: true, output: null, effect: { kind: 'state_changed', from, to } };
  }

  /** How many of them the answer holds. One that is asked for alone is never left out. */
  #pageOf(count: number): number {
    const isShort = count > 1 && this.faults.short > 0 && this.#random.chance(this.faults.short);
    return isShort ? this.#random.between(0, count - 1) : count;
  }

  #outcome(id: IssueId): RefreshOutcome {
    if (this.#random.chance(this.faults.unknown)) return { kind: 'unknown', reason: 'simulated' };
    const issue = this.issues.get(id);
    const outcome: RefreshOutcome = issue === undefined ? { kind: 'absent' } : { kind: 'current', issue };
    this.lastTold.set(id, outcome);
    return outcome;
  }

  async #travel(signal: AbortSignal): Promise<void> {
    this.requests += 1;
    const fail = this.#random.chance(this.faults.error);
    const limited = fail && this.#random.chance(0.3);
    const ms = this.#random.chance(this.faults.slow)
      ? this.#random.between(1_000, 60_000)
      : this.#random.between(1, 400);
    await new Promise<void>((resolve, reject) => {
      const cancel = this.#clock.setTimer(ms, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      });
    });
    if (limited) {
      throw new AppError('tracker_rate_limited', 'slow down', { context: { retryAfterMs: 20_000 } });
    }
    if (fail) throw new AppError('tracker_request', 'unreachable');
  }
}
