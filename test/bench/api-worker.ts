import { createWorkerPort } from '../../src/cli/worker/http/orchestrator-port.ts';
import type { Config } from '../../src/config/config.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { Issue } from '../../src/domain/issue.ts';
import type { RunEvent } from '../../src/domain/run-event.ts';
import { NO_EVIDENCE } from '../../src/domain/run-outcome.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import { Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import type { RunChannel } from '../../src/run/protocol.ts';
import type { EndedRun } from '../../src/scheduler/core/commands.ts';
import { createApp } from '../../src/server/app.ts';
import { listen } from '../../src/server/listen/listen.ts';
import { createMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { pushNowhere } from '../fakes/no-remote.ts';
import { makeIssue, makeSettings } from '../fakes/scheduler-fixture.ts';

/** The worker half of the API benchmark: a real orchestrator whose agents stream as fast as they are told. */

const AGENTS = 10;
const EVENTS_PER_SECOND = Number(process.env['BENCH_EVENTS'] ?? 200);
const HISTORY = 1_000;

const CONFIG = {
  workflowPath: '/bench/WORKFLOW.md',
  repo: null,
  workspace: { root: '/bench' },
  tracker: { kind: 'bench', endpoint: null, place: null, provider: {} },
} as Config;

const issues: readonly Issue[] = Array.from({ length: AGENTS }, (_, n) =>
  makeIssue(`bench-${n}`, { identifier: `BENCH-${n}`, url: `https://tracker.example/BENCH-${n}` }),
);

const tracker: Tracker = {
  kind: 'bench',
  fetchIssuesByStates: async () => issues,
  fetchIssuesByIds: async (ids) =>
    new Map(
      ids.map((id) => [
        id,
        { kind: 'current', issue: issues.find((issue) => issue.id === id) ?? makeIssue(id) },
      ]),
    ),
  tools: {
    specs: [],
    secretEnvironmentNames: [],
    execute: async () => ({ success: true, output: null }),
  },
  changes: null,
};

function endedRun(n: number): EndedRun {
  return {
    runId: `earlier-${n}`,
    issueId: `old-${n % 400}`,
    identifier: `OLD-${n % 400}`,
    title: 'An issue that was worked on before, with a title of the usual length',
    url: `https://tracker.example/OLD-${n % 400}`,
    attempt: null,
    startedAt: Date.now() - n * 60_000 - 200_000,
    endedAt: Date.now() - n * 60_000,
    stateBefore: 'Todo',
    stateAfter: 'Human Review',
    outcome: { kind: 'delivered', summary: 'moved to Human Review, 3 commits pushed' },
    result: { end: { kind: 'completed' }, turns: 3, evidence: NO_EVIDENCE },
    handedOff: true,
    usage: { inputTokens: 90_000, outputTokens: 8_000, totalTokens: 98_000 },
    costUsd: 0.31,
    sessionId: `session-${n}`,
    model: 'bench-1',
    runner: 'mock',
    profile: null,
    workspacePath: `/bench/OLD-${n % 400}`,
  };
}

const channels: RunChannel[] = [];
const journal = createMemoryJournal();
for (let n = HISTORY; n > 0; n -= 1) journal.recordRun(endedRun(n));

const orchestrator = new Orchestrator(
  {
    bootId: 'bench',
    clock: systemClock,
    logger: silentLogger,
    journal,
    execute: (_spec, channel) => {
      channels.push(channel);
      return new Promise(() => {});
    },
    workspaces: () => ({
      push: pushNowhere,
      branchStanding: async () => ({ pushed: null, commitsAhead: null }),
      list: async () => [],
      remove: async () => ({ removed: false, rescuedTo: null }),
    }),
  },
  {
    config: CONFIG,
    tracker,
    tools: tracker.tools,
    settings: makeSettings({ maxConcurrentAgents: AGENTS, stallTimeoutMs: 0 }),
  },
);

const source = createWorkerPort({
  orchestrator,
  clock: systemClock,
  version: '0.0.0-bench',
  identity: {
    instance: 'test',
    version: 'test',
    pid: 1,
    started_at: new Date(0).toISOString(),
    workflow_path: '/WORKFLOW.md',
  },
  reloadError: () => null,
  readDiff: async () => ({
    base: null,
    head: null,
    files: [],
    untracked: [],
    commits: [],
    patch: '',
    truncated: false,
  }),
  redact: (text) => text,
});

await orchestrator.start();
const app = createApp(source);
const listener = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger });
// What is loaded with the first request must be loaded while sources can be: they cannot once this program has been read.
await (await fetch(`${listener.url}/api/v1/state`)).arrayBuffer();

let emitted = 0;
let streaming = false;
const began = { at: 0, events: 0 };

/** Keeps each agent at its rate however late a tick comes. */
function stream(): void {
  if (!streaming) return;
  const due = Math.floor(((performance.now() - began.at) / 1000) * EVENTS_PER_SECOND);
  for (; began.events < due; began.events += 1) {
    for (const channel of channels) {
      const text = `running the tests of module ${began.events % 97}: ${emitted % 1000} passed`;
      const event: RunEvent = { type: 'agent', event: { type: 'activity', kind: 'command', text } };
      channel.emit(event);
      emitted += 1;
    }
  }
  setTimeout(stream, 5);
}

/** How long a fact takes through the scheduler, and how late a timer is: what dispatch would feel. */
const latencies: { measuring: boolean; scheduling: number[]; timers: number[] } = {
  measuring: false,
  scheduling: [],
  timers: [],
};
function probe(): void {
  const due = performance.now() + 10;
  setTimeout(() => {
    const start = performance.now();
    if (latencies.measuring) latencies.timers.push(start - due);
    orchestrator.act({ kind: 'message', by: 'me', issue: 'nobody', text: '' });
    if (latencies.measuring) latencies.scheduling.push(performance.now() - start);
    probe();
  }, 10);
}
probe();

process.on('message', (order: { readonly type: string }) => {
  if (order.type === 'stream') {
    streaming = true;
    Object.assign(began, { at: performance.now(), events: 0 });
    stream();
  }
  if (order.type === 'still') streaming = false;
  if (order.type === 'measure') Object.assign(latencies, { measuring: true, scheduling: [], timers: [] });
  if (order.type === 'report') {
    latencies.measuring = false;
    process.send?.({
      type: 'report',
      emitted,
      scheduling: latencies.scheduling,
      timers: latencies.timers,
      cpu: process.cpuUsage(),
      rss: process.memoryUsage().rss,
    });
  }
  if (order.type === 'end') void listener.close().then(() => process.exit(0));
});
process.send?.({ type: 'ready', url: listener.url, agents: channels.length });
