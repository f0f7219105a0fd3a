import type { TurnDecision } from '../../src/domain/run-event.ts';
import { NO_EVIDENCE, type RunEnd, type RunEvidence } from '../../src/domain/run-outcome.ts';
import type { ExecuteRun, RunChannel, RunSpec } from '../../src/run/protocol.ts';
import { stopReasonOf } from '../../src/run/protocol.ts';
import type { Random } from './random.ts';
import type { SimTracker } from './sim-tracker.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What an issue's agent does, over all its runs. */
export type Nature =
  | 'finishes'
  /** Finishes, after turns that are longer than an agent may be silent. */
  | 'talks'
  | 'never_finishes'
  | 'fails_at_random'
  | 'hangs'
  | 'asks'
  | 'hits_quota'
  /** Never leaves anything behind. */
  | 'idles'
  | 'times_out';

export interface IssuePlan {
  readonly nature: Nature;
  /** Turns of work until it hands over, for the natures that ever do. */
  work: number;
  /** Completed turns so far, over all runs and lives. */
  turnsDone: number;
  asked: boolean;
  /** Default `Human Review`. */
  readonly handsOverTo?: string;
  /** When the agent pushes its branch. Default `always`. */
  readonly pushes?: 'always' | 'when_told' | 'never';
  /** The branch in the workspace and on the remote; both outlive workers. */
  commits?: number;
  pushed?: number;
}

/** True when the workspace has commits that the remote lacks. */
export function isUnpushed({ commits = 0, pushed = 0 }: IssuePlan): boolean {
  return commits > pushed;
}

/** A new one each time: one for all would hold on to everything that ever waited for it. */
export const never = (): Promise<never> => new Promise(() => {});

/** A session's name tells who led it. */
export function sessionPrefix(profile: string | null): string {
  return `s-${profile ?? 'default'}-`;
}

/** The agents of all runs. They outlive nothing: `kill` ends them all at once, as SIGKILL of the worker does. */
export class SimAgents {
  readonly plans = new Map<string, IssuePlan>();
  readonly live = new Map<string, RunSpec>();
  /** Called before a run starts and after it ended; throws on a broken invariant. */
  onStart: (spec: RunSpec) => void = () => {};
  /** The agent gave a sign of life. */
  onHeard: (spec: RunSpec) => void = () => {};
  onEnd: (spec: RunSpec) => void = () => {};
  #life = 0;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #tracker: SimTracker;

  constructor(clock: VirtualClock, random: Random, tracker: SimTracker) {
    this.#clock = clock;
    this.#random = random;
    this.#tracker = tracker;
  }

  /** The worker died: nothing of its runs is heard of again. */
  kill(): void {
    this.#life += 1;
    this.live.clear();
  }

  executor(): ExecuteRun {
    const life = this.#life;
    return async (spec, channel) => {
      if (life !== this.#life) return never();
      this.onStart(spec);
      this.live.set(spec.runId, spec);
      const progress = { turns: 0, newCommits: 0 };
      const heard: RunChannel = {
        ...channel,
        emit: (event) => {
          if (event.type === 'agent') this.onHeard(spec);
          channel.emit(event);
        },
      };
      const end = await this.#work(spec, heard, progress, life);
      if (life !== this.#life) return never();
      this.live.delete(spec.runId);
      this.onEnd(spec);
      return { end, turns: progress.turns, evidence: this.#evidence(spec, progress.newCommits) };
    };
  }

  async #work(
    spec: RunSpec,
    channel: RunChannel,
    progress: { turns: number; newCommits: number },
    life: number,
  ): Promise<RunEnd> {
    const plan = this.plans.get(spec.issue.id);
    if (plan === undefined) throw new Error(`no plan for ${spec.issue.id}`);
    const stopped = (): RunEnd | null =>
      channel.stop.aborted ? { kind: 'stopped', reason: stopReasonOf(channel.stop) } : null;
    const wait = (low: number, high: number): Promise<void> => this.#wait(channel.stop, low, high, life);
    channel.emit({ type: 'phase', phase: 'PreparingWorkspace', detail: null });
    await wait(10, this.#random.chance(0.05) ? 900_000 : 3_000);
    const early = stopped();
    if (early !== null) return early;
    const branch = `ai/${spec.issue.id}`;
    channel.emit({ type: 'workspace', path: `/simulated/${spec.issue.id}`, branch, createdNow: false });
    const sessionId = spec.resumeSessionId ?? `${sessionPrefix(spec.profile)}${spec.runId}`;
    channel.emit({
      type: 'agent',
      event: { type: 'session_started', sessionId, pid: 1, model: null, resumed: false },
    });
    let told = false;
    for (let turn = 1; ; turn += 1) {
      if (turn > spec.maxTurns) throw new Error(`${spec.issue.id} was given a turn over its limit`);
      channel.emit({ type: 'agent', event: { type: 'turn_started', turn, turnId: `${turn}` } });
      const failure = await this.#turn(spec, channel, plan, wait);
      const stop = stopped();
      if (stop !== null) return stop;
      if (failure !== null) return failure;
      plan.turnsDone += 1;
      progress.turns = turn;
      if (!told) this.#commit(plan, progress);
      if (plan.pushes === undefined || plan.pushes === 'always' || (told && plan.pushes === 'when_told'))
        plan.pushed = plan.commits ?? 0;
      if (plan.nature !== 'never_finishes' && plan.nature !== 'idles' && plan.turnsDone >= plan.work)
        await this.#handOver(spec, channel, life);
      const decision = await this.#decision(spec, channel, turn, progress.newCommits);
      const late = stopped();
      if (late !== null) return late;
      if (decision?.kind === 'finish') return { kind: 'completed' };
      if (decision?.kind === 'push_first') {
        if (told) throw new Error(`${spec.issue.id} was told twice to push what it handed over`);
        told = true;
      }
    }
  }

  #commit(plan: IssuePlan, progress: { newCommits: number }): void {
    if (plan.nature === 'idles') return;
    progress.newCommits += 1;
    plan.commits = (plan.commits ?? 0) + 1;
  }

  /** What git says of the workspace; the remote does not always answer. */
  #evidence(spec: RunSpec, newCommits: number): RunEvidence {
    const plan = this.plans.get(spec.issue.id);
    if (plan === undefined) return { ...NO_EVIDENCE, newCommits };
    const pushed = this.#random.chance(0.1) ? null : !isUnpushed(plan);
    return { ...NO_EVIDENCE, newCommits, commitsAhead: plan.commits ?? 0, pushed };
  }

  /** Asks whether to go on, and shows the work when the scheduler wants to see it. */
  async #decision(
    spec: RunSpec,
    channel: RunChannel,
    turn: number,
    newCommits: number,
  ): Promise<TurnDecision | null> {
    const first = await this.#answer(channel, turn);
    if (first?.kind !== 'inspect') return first;
    return this.#answer(channel, turn, this.#evidence(spec, newCommits));
  }

  async #turn(
    spec: RunSpec,
    channel: RunChannel,
    plan: IssuePlan,
    wait: (low: number, high: number) => Promise<void>,
  ): Promise<RunEnd | null> {
    await wait(200, 30_000);
    // For longer than an agent may be silent, nothing but its activity says that it lives.
    const lines = plan.nature === 'talks' ? this.#random.between(1, 6) : 0;
    for (let line = 0; line < lines && !channel.stop.aborted; line += 1) {
      const text = `step ${line} of ${lines}`;
      channel.emit({ type: 'agent', event: { type: 'activity', kind: 'message', text } });
      await wait(60_000, 200_000);
    }
    const tokens = this.#random.between(10, 500);
    const usage = { inputTokens: tokens, outputTokens: tokens, totalTokens: tokens * 2 };
    channel.emit({ type: 'agent', event: { type: 'usage', usage, costUsd: null } });
    if (plan.nature === 'hangs' && this.#random.chance(0.5)) await wait(3_600_000, 3_600_000);
    if (plan.nature === 'fails_at_random' && this.#random.chance(0.6)) {
      return { kind: 'failed', code: 'turn_failed', message: `simulated failure of ${spec.issue.id}` };
    }
    if (plan.nature === 'times_out') return { kind: 'timed_out', message: 'the run took too long' };
    if (plan.nature === 'asks' && !plan.asked) {
      plan.asked = true;
      return { kind: 'input_required', method: 'ask', question: 'Which?' };
    }
    if (plan.nature === 'hits_quota' && this.#random.chance(0.4)) {
      const resetAt = this.#random.chance(0.5)
        ? this.#clock.now() + this.#random.between(1_000, 7_200_000)
        : null;
      return { kind: 'quota', message: 'limit', resetAt };
    }
    return null;
  }

  /** Through the worker's tool, or by a way of its own that the worker does not see. */
  async #handOver(spec: RunSpec, channel: RunChannel, life: number): Promise<void> {
    const state = this.#tracker.issues.get(spec.issue.id)?.state;
    const active = state === 'Todo' || state === 'In Progress';
    if (life !== this.#life || !active) return;
    const to = this.plans.get(spec.issue.id)?.handsOverTo ?? 'Human Review';
    if (this.#random.chance(0.5)) await channel.callTool({ name: 'issue_move', arguments: { state: to } });
    else this.#tracker.move(spec.issue.id, to);
  }

  /** Ends early on a stop order; never comes back in a life that is over. */
  #wait(stop: AbortSignal, low: number, high: number, life: number): Promise<void> {
    return new Promise((settled) => {
      const resolve = (): void => {
        stop.removeEventListener('abort', onStop);
        if (life === this.#life) settled();
      };
      const cancel = this.#clock.setTimer(stop.aborted ? 0 : this.#random.between(low, high), resolve);
      const onStop = (): void => {
        cancel();
        this.#clock.setTimer(this.#random.between(1, 5_000), resolve);
      };
      stop.addEventListener('abort', onStop);
    });
  }

  /** The scheduler's answer, or null when a stop order came first. */
  #answer(channel: RunChannel, turn: number, evidence?: RunEvidence): Promise<TurnDecision | null> {
    return new Promise((resolve) => {
      const onStop = (): void => resolve(null);
      channel.stop.addEventListener('abort', onStop, { once: true });
      if (channel.stop.aborted) resolve(null);
      void channel.mayContinue(turn, evidence).then((decision) => {
        channel.stop.removeEventListener('abort', onStop);
        resolve(decision);
      });
    });
  }
}
