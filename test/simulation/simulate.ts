import type { SchedulerSettings } from '../../src/scheduler/core/settings.ts';
import { standingOf } from '../../src/scheduler/rules/eligibility.ts';
import { makeBudgets, makeProfiles } from '../fakes/scheduler-fixture.ts';
import { leakedClaims } from './invariants.ts';
import { Random } from './random.ts';
import type { Nature } from './sim-agents.ts';
import { SimulatedWorker } from './simulated-worker.ts';

const NATURES: readonly Nature[] = [
  'finishes',
  'finishes',
  'finishes',
  'talks',
  'never_finishes',
  'fails_at_random',
  'hangs',
  'asks',
  'hits_quota',
];
const HOUR = 3_600_000;

export interface SimulationResult {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly delivered: number;
  readonly blocked: number;
  readonly lives: number;
}

/** One simulation: hours of faults, kills, reloads and meddling, then calm, after which everything must have come right. */
export async function simulate(
  seed: number,
  /** Looks at the worker after each stretch of time. */
  look: (simulated: SimulatedWorker) => Promise<void> = async () => {},
  /** Looks at the worker after every single timer. */
  onStep: ((simulated: SimulatedWorker) => Promise<void>) | null = null,
): Promise<SimulationResult> {
  const random = new Random(seed);
  const idsPerRequest = seed % 2 === 0 ? 1 : 2 + (seed % 49);
  const simulated = new SimulatedWorker(random, {
    readAhead: Math.floor(idsPerRequest / 2),
    pollIntervalMs: random.between(30_000, 120_000),
    maxConcurrentAgents: random.between(1, 4),
    budgets: randomBudgets(random),
    maxConcurrentByState: random.chance(0.3) ? new Map([['todo', random.between(1, 2)]]) : new Map(),
    stallTimeoutMs: random.chance(0.8) ? 300_000 : 600_000,
    noProgressRuns: random.between(0, 4),
    profiles: randomProfiles(random),
  });
  if (onStep !== null) simulated.onStep = () => onStep(simulated);
  simulated.tracker.idsPerRequest = idsPerRequest;
  const ids = addIssues(simulated, random);
  simulated.tracker.faults = {
    error: random.next() * 0.4,
    unknown: random.next() * 0.3,
    slow: random.next() * 0.2,
    short: random.next() * 0.2,
  };
  const chaos = new Chaos(simulated, random, ids);
  await simulated.start();
  const end = simulated.clock.elapsed() + random.between(1, 4) * HOUR;
  while (simulated.clock.elapsed() < end && simulated.problems.length === 0) {
    await simulated.pass(random.between(1_000, 120_000));
    await look(simulated);
    await chaos.act();
    await look(simulated);
  }
  await calmDown(simulated);
  if (simulated.problems.length === 0) simulated.problems.push(...finalProblems(simulated, chaos));
  return summarise(seed, simulated, ids);
}

function addIssues(simulated: SimulatedWorker, random: Random): string[] {
  const count = random.between(3, 12);
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const id = `i${n}`;
    const priority = random.chance(0.3) ? null : random.between(0, 5);
    simulated.tracker.add(id, {
      priority,
      state: random.pick(['Todo', 'In Progress']),
      labels: randomLabels(random),
    });
    const work = random.between(1, 4);
    const pushes = random.pick(['always', 'always', 'when_told', 'never'] as const);
    const handsOverTo = random.chance(0.1) ? 'Done' : 'Human Review';
    const habits = { nature: random.pick(NATURES), work, pushes, handsOverTo };
    simulated.agents.plans.set(id, { ...habits, turnsDone: 0, asked: false });
    ids.push(id);
  }
  return ids;
}

function randomBudgets(random: Random): SchedulerSettings['budgets'] {
  return makeBudgets({
    run: { turns: random.between(1, 5), runtimeMs: random.chance(0.1) ? 60_000 : null },
    issue: { turns: random.between(3, 12), tokens: random.chance(0.2) ? random.between(500, 5_000) : null },
    day: { tokens: random.chance(0.1) ? 20_000 : null },
  });
}

function randomProfiles(random: Random): SchedulerSettings['profiles'] {
  const fast = { maxTurns: random.between(1, 4), maxConcurrentAgents: random.chance(0.5) ? 1 : null };
  const careful = { runner: 'mock' as const, states: random.chance(0.5) ? ['in progress'] : [] };
  if (random.chance(0.3)) return makeProfiles({});
  return makeProfiles(random.chance(0.5) ? { fast, careful } : { careful, fast });
}

function randomLabels(random: Random): readonly string[] {
  return ['agent:fast', 'agent:careful', 'agent:unknown', 'other'].filter(() => random.chance(0.3));
}

/** Everything that people, networks and machines do to a worker. */
class Chaos {
  kills = 0;
  /** Times an issue's budgets may have started again, per issue. */
  readonly resets = new Map<string, number>();
  highestTurnBudget: number;
  readonly #simulated: SimulatedWorker;
  readonly #random: Random;
  readonly #ids: readonly string[];

  constructor(simulated: SimulatedWorker, random: Random, ids: readonly string[]) {
    this.#simulated = simulated;
    this.#random = random;
    this.#ids = ids;
    this.highestTurnBudget = simulated.settings.budgets.issue.turns ?? 0;
  }

  async act(): Promise<void> {
    const { orchestrator } = this.#simulated;
    const issueId = this.#random.pick(this.#ids);
    const dice = this.#random.between(1, 100);
    if (dice <= 4) await this.#kill();
    else if (dice <= 7) this.#reload();
    else if (dice <= 10) orchestrator.act({ kind: 'pause', by: 'me' });
    else if (dice <= 16) orchestrator.act({ kind: 'resume', by: 'me' });
    else if (dice <= 19) orchestrator.act({ kind: 'stop', issue: issueId, by: 'chaos' });
    else if (dice <= 24) this.#retry(issueId);
    else if (dice <= 26) orchestrator.act({ kind: 'clear-stop', issue: issueId, by: 'me' });
    else if (dice <= 34) this.#move(issueId);
    else if (dice <= 36) this.#disturbTime();
    else if (dice <= 45) orchestrator.requestPoll();
    else if (dice === 46) this.#simulated.tracker.issues.delete(issueId);
    else if (dice <= 56) orchestrator.act({ kind: 'push', issue: issueId, by: 'chaos' });
    else if (dice <= 62) this.#simulated.tracker.label(issueId, randomLabels(this.#random));
  }

  #disturbTime(): void {
    const { clock } = this.#simulated;
    const dice = this.#random.between(1, 8);
    if (dice <= 2) clock.jump(this.#random.pick([HOUR, -HOUR, 24 * HOUR, -24 * HOUR]));
    else if (dice === 3) clock.jump(this.#random.between(-600_000, 7_200_000));
    else if (dice <= 5) clock.sleep(this.#random.between(2_000, HOUR));
    else if (dice <= 7) clock.stop(this.#random.between(2_000, HOUR), this.#random.between(0, 500));
    else clock.lag(this.#random.between(1, 1_500));
  }

  async #kill(): Promise<void> {
    this.kills += 1;
    await this.#simulated.killAndRestart();
  }

  #reload(): void {
    const budgets = randomBudgets(this.#random);
    this.highestTurnBudget = Math.max(this.highestTurnBudget, budgets.issue.turns ?? 0);
    this.#simulated.reload({
      maxConcurrentAgents: this.#random.between(1, 4),
      budgets,
      profiles: randomProfiles(this.#random),
      preflightErrors: this.#random.chance(0.2) ? ['simulated'] : [],
    });
  }

  #retry(issueId: string): void {
    const resetBudget = this.#random.chance(0.3);
    if (resetBudget) this.#reset(issueId);
    this.#simulated.orchestrator.act({
      kind: 'retry',
      issue: issueId,
      reset_budget: resetBudget,
      by: 'chaos',
    });
  }

  #move(issueId: string): void {
    this.#reset(issueId);
    this.#simulated.tracker.move(
      issueId,
      this.#random.pick(['Todo', 'In Progress', 'Backlog', 'Done', 'Human Review']),
    );
  }

  #reset(issueId: string): void {
    this.resets.set(issueId, (this.resets.get(issueId) ?? 0) + 1);
  }
}

async function calmDown(simulated: SimulatedWorker): Promise<void> {
  simulated.tracker.faults = { error: 0, unknown: 0, slow: 0, short: 0 };
  simulated.reload({ preflightErrors: [], pollIntervalMs: 600_000 });
  simulated.orchestrator.act({ kind: 'resume', by: 'me' });
  await simulated.pass(48 * HOUR);
}

function finalProblems(simulated: SimulatedWorker, chaos: Chaos): string[] {
  const { state } = simulated.orchestrator;
  const stateOf = (id: string): string | null => simulated.tracker.issues.get(id)?.state ?? null;
  const problems = leakedClaims(state, simulated.settings, stateOf, (id) => simulated.isUnpushed(id));
  for (const [id, plan] of simulated.agents.plans) {
    const name = stateOf(id);
    const active = name !== null && standingOf(name, simulated.settings) === 'active';
    const held =
      state.claims.get(id)?.phase === 'blocked' || state.records.get(id)?.operatorStop?.latched === true;
    const mayWait =
      plan.nature === 'fails_at_random' || plan.nature === 'hangs' || plan.nature === 'hits_quota';
    if (active && !held && !mayWait)
      problems.push(`${id} (${plan.nature}) is ${name}, neither delivered nor held`);
    const allowed = ((chaos.resets.get(id) ?? 0) + 1) * chaos.highestTurnBudget + chaos.kills;
    if (plan.turnsDone > allowed) problems.push(`${id} took ${plan.turnsDone} turns of ${allowed}`);
  }
  if (state.pushing.size > 0) problems.push('a push never ended');
  if (simulated.agents.live.size > simulated.settings.maxConcurrentAgents)
    problems.push('more agents than slots at the end');
  return problems;
}

function summarise(seed: number, simulated: SimulatedWorker, ids: readonly string[]): SimulationResult {
  const states = ids.map((id) => simulated.tracker.issues.get(id)?.state);
  return {
    seed,
    problems: [...new Set(simulated.problems)],
    delivered: states.filter((state) => state === 'Human Review' || state === 'Done').length,
    blocked: [...simulated.orchestrator.state.claims.values()].filter((claim) => claim.phase === 'blocked')
      .length,
    lives: simulated.lives,
  };
}
