import type { AgentEvent } from '../../src/domain/agent-event.ts';
import type { Issue } from '../../src/domain/issue.ts';
import type { RunEvent } from '../../src/domain/run-event.ts';
import { isRunFact } from '../../src/scheduler/core/events.ts';
import { current, makeIssue, SchedulerFixture } from '../fakes/scheduler-fixture.ts';
import { reportFigures } from './report-figures.mjs';

/** `npm run bench:scheduler`: transitions and ticks under load, beside an empty scheduler in the same run. */
const ISSUES = 10_000;
const RUNS = 500;
const EVENTS = 20_000;
const TICKS = 200;

function loaded(issues: number, runs: number): { fixture: SchedulerFixture; listed: readonly Issue[] } {
  const listed = Array.from({ length: issues }, (_, n) =>
    makeIssue(`i${n}`, { priority: n % 5, createdAt: new Date(1_600_000_000_000 + n * 1000).toISOString() }),
  );
  const fixture = new SchedulerFixture({ maxConcurrentAgents: runs }).start().list(...listed);
  return { fixture, listed };
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
function report(fixture: SchedulerFixture, runId: string, event: RunEvent): void {
  fixture.activity.note(runId, event, fixture.now);
  if (isRunFact(event)) fixture.send({ type: 'run_fact', runId, fact: event });
}

/** The mix of one agent: mostly activity, some usage, now and then a turn. */
function agentEvents(fixture: SchedulerFixture): number[] {
  const runs = [...fixture.state.live.values()];
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
    report(fixture.advance(1), run.runId, { type: 'agent', event });
  });
}

function ticks(fixture: SchedulerFixture, listed: readonly Issue[]): number[] {
  const claimed = Object.fromEntries(
    listed.filter((issue) => fixture.state.claims.has(issue.id)).map((issue) => [issue.id, current(issue)]),
  );
  return measure(TICKS, () => {
    const at = fixture.advance(30_000).activity.takeHeard();
    if (at !== null) fixture.send({ type: 'agents_heard', at });
    fixture.send({ type: 'poll_requested' });
    if (fixture.state.tick.phase === 'refreshing') fixture.refresh(claimed);
    fixture.list(...listed);
  });
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function measureLoad(name: string, issues: number, runs: number): { event: number; tick: number } {
  const { fixture, listed } = loaded(issues, runs);
  agentEvents(fixture);
  const events = agentEvents(fixture);
  ticks(fixture, listed);
  const full = ticks(fixture, listed);
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
reportFigures({
  'scheduler.event': large.event / small.event,
  'scheduler.tickMs': large.tick,
  'scheduler.perIssue': perIssue,
  'scheduler.perRun': perRun / 1024,
});
if (kept.fixture.state.candidates.size + running.fixture.state.live.size === 0) process.exitCode = 1;
