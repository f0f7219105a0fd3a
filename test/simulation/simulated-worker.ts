import type { AgentProfile, Config } from '../../src/config/config.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { PushResult } from '../../src/domain/push.ts';
import { hasUnpushedCommits, UNKNOWN_STANDING } from '../../src/domain/run-outcome.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import { Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import type { WorkflowSnapshot } from '../../src/orchestrator/workflow-snapshot.ts';
import type { RunSpec } from '../../src/run/protocol.ts';
import type { EndedRun } from '../../src/scheduler/core/commands.ts';
import type { SchedulerSettings } from '../../src/scheduler/core/settings.ts';
import type { Journal } from '../../src/store/journal.ts';
import { createMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import type { Workspaces } from '../../src/workspaces/workspaces.ts';
import { makeSettings } from '../fakes/scheduler-fixture.ts';
import { brokenInvariants } from './invariants.ts';
import type { Random } from './random.ts';
import { isUnpushed, never, SimAgents, sessionPrefix } from './sim-agents.ts';
import { SimTracker } from './sim-tracker.ts';
import { TrueTimes } from './true-times.ts';
import { settle, VirtualClock } from './virtual-clock.ts';

const PROFILES: readonly AgentProfile[] = ['fast', 'careful'].map((name) => ({ name }) as AgentProfile);

/** The orchestrator only hands these on; the simulated run reads none of them. */
const NO_CONFIG = {
  workflowPath: '/simulated/WORKFLOW.md',
  repo: { push: 'worker' },
  workspace: { root: '/simulated' },
  tracker: { kind: 'simulated', endpoint: null, place: null, provider: {} },
  agent: { kind: 'mock', profiles: PROFILES },
} as Config;

/** A whole worker in virtual time. Its journal and workspaces outlive it, as a disk would. */
export class SimulatedWorker {
  readonly clock = new VirtualClock();
  readonly tracker: SimTracker;
  readonly agents: SimAgents;
  journal: Journal = createMemoryJournal();
  settings: SchedulerSettings;
  readonly workspacesOnDisk = new Map<string, string>();
  readonly problems: string[] = [];
  orchestrator: Orchestrator;
  lives = 0;
  /** How it takes what operators have pushed. */
  remote: 'moody' | 'refuses' | 'takes' = 'moody';
  /** Looks at the worker after every single timer; time stands still meanwhile. */
  onStep: (() => Promise<void>) | null = null;
  readonly #random: Random;
  readonly #times: TrueTimes;
  #alive = { value: true };

  constructor(random: Random, settings: Partial<SchedulerSettings>) {
    this.#random = random;
    this.tracker = new SimTracker(this.clock, random, { error: 0, unknown: 0, slow: 0, short: 0 });
    this.agents = new SimAgents(this.clock, random, this.tracker);
    this.settings = makeSettings(settings);
    this.#times = new TrueTimes(this.clock);
    this.agents.onHeard = (spec) => this.#times.heard(spec.runId);
    this.agents.onEnd = (spec) => this.#times.ended(spec.runId);
    this.agents.onStart = (spec) => {
      this.#times.started(spec.runId, spec.issue.id);
      this.workspacesOnDisk.set(spec.issue.id, spec.issue.identifier);
      for (const other of this.agents.live.values()) {
        if (other.issue.id === spec.issue.id) this.problems.push(`two agents work on ${spec.issue.id}`);
      }
      if (this.agents.live.size >= this.settings.maxConcurrentAgents) {
        this.problems.push(`${spec.issue.id} started over the limit of ${this.settings.maxConcurrentAgents}`);
      }
      this.#checkProfile(spec);
    };
    this.orchestrator = this.#newOrchestrator();
  }

  async start(intake: 'open' | 'one_poll' = 'open'): Promise<void> {
    await this.orchestrator.start(intake);
  }

  /** Nobody gets another's conversation, and a profile keeps its own limit. */
  #checkProfile({ issue, profile, resumeSessionId }: RunSpec): void {
    if (resumeSessionId !== null && !resumeSessionId.startsWith(sessionPrefix(profile)))
      this.problems.push(`${issue.id} runs with ${profile} and was handed ${resumeSessionId}`);
    const limit = this.settings.profiles.agents.find((agent) => agent.profile === profile)?.maxConcurrent;
    const others = [...this.agents.live.values()].filter((run) => run.profile === profile);
    if (limit !== undefined && limit !== null && others.length >= limit)
      this.problems.push(`${issue.id} started over the limit of profile ${profile}`);
  }

  isUnpushed(id: string): boolean {
    const plan = this.agents.plans.get(id);
    return plan !== undefined && isUnpushed(plan);
  }

  /** SIGKILL and a new start: only the journal, the workspaces and the tracker remember. */
  async killAndRestart(): Promise<void> {
    this.agents.kill();
    this.#times.endAll();
    this.#alive.value = false;
    this.orchestrator = this.#newOrchestrator();
    await this.orchestrator.start();
  }

  reload(settings: Partial<SchedulerSettings>): void {
    this.settings = { ...this.settings, ...settings };
    this.orchestrator.reload(this.#snapshot());
  }

  /** Lets virtual time pass, one timer at a time. */
  async pass(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    await settle();
    await this.onStep?.();
    while (this.clock.step(until)) {
      await settle();
      await this.onStep?.();
    }
  }

  #snapshot(): WorkflowSnapshot {
    const tracker = this.tracker.asTracker();
    return { config: NO_CONFIG, tracker, tools: tracker.tools, settings: this.settings };
  }

  #newOrchestrator(): Orchestrator {
    this.lives += 1;
    const alive = { value: true };
    this.#alive = alive;
    const orchestrator = new Orchestrator(
      {
        bootId: `life${this.lives}`,
        clock: mortalClock(this.clock, alive),
        logger: silentLogger,
        journal: mortalJournal(this.journal, alive, (run) => this.#checkOutcome(run)),
        execute: this.agents.executor(),
        workspaces: () => this.#workspaces(alive),
      },
      this.#snapshot(),
    );
    orchestrator.observe(() => {
      if (orchestrator !== this.orchestrator) return;
      this.problems.push(...brokenInvariants(orchestrator.state, this.settings, this.clock.now()));
      this.problems.push(...this.#times.overcharged(orchestrator.state.records.values()));
    });
    return orchestrator;
  }

  /** A killed worker removes nothing and hears of no push. */
  #workspaces(alive: Alive): Pick<Workspaces, 'list' | 'remove' | 'push' | 'branchStanding'> {
    return {
      remove: async (identifier) => {
        if (!alive.value) return never();
        const id = this.#idOf(identifier);
        if (id !== undefined) this.#checkRemoval(id);
        if (id !== undefined) this.workspacesOnDisk.delete(id);
        return { removed: id !== undefined, rescuedTo: null };
      },
      push: async (identifier) => {
        const result = await this.#push(identifier);
        return alive.value ? result : never();
      },
      branchStanding: async (identifier) => {
        const id = this.#idOf(identifier);
        if (id === undefined || this.#random.chance(0.1)) return UNKNOWN_STANDING;
        return { pushed: !this.isUnpushed(id), commitsAhead: this.agents.plans.get(id)?.commits ?? 0 };
      },
      list: async () =>
        [...this.workspacesOnDisk].map(([issueId, identifier]) => ({
          issueId,
          identifier,
          key: identifier,
          path: '',
        })),
    };
  }

  #idOf(identifier: string): string | undefined {
    return [...this.workspacesOnDisk].find(([, name]) => name === identifier)?.[0];
  }

  /** Takes its time, and the remote may refuse. What reaches it stays there, whether or not the worker lives to hear of it. */
  async #push(identifier: string): Promise<PushResult> {
    const refused = this.remote === 'refuses' || (this.remote === 'moody' && this.#random.chance(0.3));
    await new Promise<void>((resolve) => {
      this.clock.setTimer(this.#random.between(10, 90_000), resolve);
    });
    const id = this.#idOf(identifier);
    const plan = id === undefined ? undefined : this.agents.plans.get(id);
    if (plan === undefined || refused)
      return { ok: false, code: 'rejected', message: 'simulated', remoteLines: ['not today'] };
    const changed = isUnpushed(plan);
    plan.pushed = plan.commits ?? 0;
    return { ok: true, branch: `ai/${id}`, commit: 'c'.repeat(40), changed, remoteLines: [] };
  }

  #checkOutcome(run: EndedRun): void {
    const {
      issueId,
      identifier,
      outcome,
      result: { end, evidence },
    } = run;
    this.problems.push(...this.#times.wronged(run, this.settings));
    if (end.kind === 'stopped' && end.reason.kind === 'missing' && this.tracker.issues.has(issueId))
      this.problems.push(`${identifier} was stopped as gone although the tracker has it`);
    if (outcome.kind === 'delivered' && hasUnpushedCommits(evidence))
      this.problems.push(`${identifier} was delivered with commits that nobody else can see`);
  }

  #checkRemoval(id: string): void {
    const told = this.tracker.lastTold.get(id);
    const terminal =
      told?.kind === 'current' && this.settings.terminalSet.has(told.issue.state.toLowerCase());
    if (!terminal) this.problems.push(`the workspace of ${id} was removed without a definite terminal state`);
    for (const run of this.agents.live.values()) {
      if (run.issue.id === id) this.problems.push(`the workspace of ${id} was removed under a live agent`);
    }
  }
}

interface Alive {
  value: boolean;
}

/** The timers of a killed worker never fire. */
function mortalClock(clock: VirtualClock, alive: Alive): Clock {
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    paused: () => clock.paused(),
    setTimer: (ms, callback) =>
      clock.setTimer(
        ms,
        () => {
          if (alive.value) callback();
        },
        true,
      ),
  };
}

/** A killed worker writes nothing any more. */
function mortalJournal(journal: Journal, alive: Alive, onEnd: (run: EndedRun) => void): Journal {
  return {
    ...journal,
    saveRecord: (record) => {
      if (alive.value) journal.saveRecord(record);
    },
    recordRun: (run) => {
      if (alive.value) journal.recordRun(run);
      if (alive.value) onEnd(run);
    },
  };
}
