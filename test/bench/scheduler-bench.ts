import type { AgentEvent } from '../../src/domain/agent-event.ts';
import type { Issue } from '../../src/domain/issue.ts';
import type { RunEvent } from '../../src/domain/run-event.ts';
import { isRunFact } from '../../src/scheduler/core/events.ts';
import { current, makeIssue, SchedulerFixture } from '../fakes/scheduler-fixture.ts';

/** `npm run bench:scheduler`: transitions and ticks under load, beside an empty scheduler in the same run. */
const ISSUES = 10_000;
const RUNS = 500;
const EVENTS = 20_000;

function loaded(issues: number, runs: number): { driver: SchedulerFixture; listed: readonly Issue[] } {
  const listed = Array.from({ length: issues }, (_, n) =>
    makeIssue(`i${n}`, { priority: n % 5, createdAt: new Date(1_600_000_000_000 + n * 1000).toISOString() }),
  );
  const driver = new SchedulerFixture({ maxConcurrentAgents: runs }).start().list(...listed);
  return { driver, listed };
}

function measure(count: number, act: (n: number) => void): number[] {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const started = process.hrtime.bigint();
    act(n);
    times.push(Number(process.hrtime.bigint() - started) / 1e6);
  }
  return times.sort((a, b) => a - b);
}

const at = (times: readonly number[], share: number): number =>
  times[Math.floor((times.length - 1) * share)] ?? 0;

/** As the orchestrator does it: what no decision depends on is only noted. */
function report(driver: SchedulerFixture, runId: string, event: RunEvent): void {
  driver.activity.note(runId, event, driver.now);
  if (isRunFact(event)) driver.send({ type: 'run_fact', runId, fact: event });
}

/** The mix of one agent: mostly activity, some usage, now and then a turn. */
function agentEvents(driver: SchedulerFixture): number[] {
  const runs = [...driver.state.live.values()];
  return measure(EVENTS, (n) => {
    const run = runs[n % runs.length];
    if (run === undefined) return;
    const tokens = n + 1;
    const usage = { inputTokens: tokens, outputTokens: 0, totalTokens: tokens };
    const event: AgentEvent =
      n % 50 === 0
        ? { type: 'turn_started', turn: n, turnId: null }
        : n % 5 === 0
          ? { type: 'usage', usage, costUsd: null }
          : { type: 'activity', kind: 'message', text: `step ${n}` };
    report(driver.advance(1), run.runId, { type: 'agent', event });
  });
}

function ticks(driver: SchedulerFixture, listed: readonly Issue[]): number[] {
  const claimed = Object.fromEntries(
    listed.filter((issue) => driver.state.claims.has(issue.id)).map((issue) => [issue.id, current(issue)]),
  );
  return measure(30, () => {
    const at = driver.advance(30_000).activity.takeHeard();
    if (at !== null) driver.send({ type: 'agents_heard', at });
    driver.send({ type: 'poll_requested' });
    if (driver.state.tick.phase === 'refreshing') driver.refresh(claimed);
    driver.list(...listed);
  });
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function measureLoad(name: string, issues: number, runs: number): { event: number; tick: number } {
  const { driver, listed } = loaded(issues, runs);
  agentEvents(driver);
  const events = agentEvents(driver);
  const full = ticks(driver, listed);
  console.log(
    `${name.padEnd(28)} ${at(events, 0.5).toFixed(4).padStart(9)} ${at(events, 0.99).toFixed(4).padStart(9)} ${at(full, 0.5).toFixed(2).padStart(9)} ${at(full, 0.99).toFixed(2).padStart(9)}`,
  );
  return { event: at(events, 0.99), tick: at(full, 0.5) };
}

console.log(`${''.padEnd(28)} ${'event p50'} ${'event p99'} ${' tick p50'} ${' tick p99'}   (ms)`);
const small = measureLoad('10 issues, 1 run', 10, 1);
const large = measureLoad(`${ISSUES} issues, ${RUNS} runs`, ISSUES, RUNS);
console.log(
  `${'ratio'.padEnd(28)} ${''.padStart(9)} ${(large.event / small.event).toFixed(1).padStart(9)} ${(large.tick / small.tick).toFixed(1).padStart(9)}`,
);

const issuesOnly = heapUsed();
const kept = loaded(ISSUES, 0);
const withIssues = heapUsed();
const running = loaded(ISSUES, RUNS);
const withRuns = heapUsed();
const perIssue = (withIssues - issuesOnly) / ISSUES;
const perRun = (withRuns - withIssues - (withIssues - issuesOnly)) / RUNS;
console.log(
  `memory: ${Math.round(perIssue)} bytes per listed issue, ${Math.round(perRun)} per live run (run with --expose-gc)`,
);
if (kept.driver.state.candidates.size + running.driver.state.live.size === 0) process.exitCode = 1;
