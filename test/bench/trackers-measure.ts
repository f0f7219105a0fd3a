import { systemClock } from '../../src/domain/clock.ts';
import { NO_EVIDENCE } from '../../src/domain/run-outcome.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import { Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import { workflowSnapshot } from '../../src/orchestrator/workflow-snapshot.ts';
import { createMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { configOf } from '../conformance/scenarios/workflow.ts';
import { pushNowhere } from '../fakes/no-remote.ts';

export interface Load {
  /** Issues that could run, those that do included. */
  readonly ready: number;
  /** Finished issues, which nobody should ask for. */
  readonly closed: number;
  /** Agents at once. */
  readonly cap: number;
}

/** A tracker of one kind, and how to count what it sends. */
export interface BenchSubject {
  readonly name: string;
  open(load: Load): Promise<OpenSubject>;
  /** Requests of the Go worker in the same situation, by the formulas in its own code. */
  goRequests(load: Load): number;
  /** Whether the tracker answers "not modified" to what it has said before. */
  readonly conditional: boolean;
}

export interface OpenSubject {
  readonly tracker: Tracker;
  /** Front matter of the workflow: states, credentials; `agent` is the harness's. */
  readonly frontMatter: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the server has seen so far. */
  requests(): readonly CountedRequest[];
  stop(): Promise<void>;
}

export interface CountedRequest {
  readonly notModified: boolean;
  /** The issues it names one by one; none for a listing. */
  readonly issues: readonly string[];
}

export interface Measurement {
  /** Requests until the first runs were started. */
  readonly first: number;
  /** Per tick, with every slot taken. */
  readonly steady: number;
  readonly steadyNotModified: number;
  /** Requests per tick about single issues that no run works on. */
  readonly lookups: number;
  readonly tickMs: number;
}

/** Polls in which the adapter learns what it need not ask again. */
const SETTLING_TICKS = 3;
const STEADY_TICKS = 5;

/** The real scheduler and orchestrator poll the tracker; runs start and never end. */
export async function measure(subject: BenchSubject, load: Load): Promise<Measurement> {
  const open = await subject.open(load);
  const agent = `agent: {max_concurrent_agents: ${load.cap}}\npolling: {interval_ms: 3600000}`;
  const worker = new Orchestrator(
    {
      bootId: 'bench',
      clock: systemClock,
      logger: silentLogger,
      journal: createMemoryJournal(),
      execute: (_spec, channel) =>
        new Promise((resolve) => {
          channel.stop.addEventListener('abort', () =>
            resolve({
              end: { kind: 'stopped', reason: channel.stop.reason },
              turns: 0,
              evidence: NO_EVIDENCE,
            }),
          );
        }),
      workspaces: () => ({
        push: pushNowhere,
        branchStanding: async () => ({ pushed: null, commitsAhead: null }),
        list: async () => [],
        remove: async () => ({ removed: true, rescuedTo: null }),
      }),
    },
    workflowSnapshot(configOf(`${open.frontMatter}\n${agent}`, 'Do it.', open.environment), open.tracker),
  );
  try {
    await worker.start();
    await until(worker, () => worker.liveRuns === load.cap && worker.state.tick.phase === 'idle');
    const first = open.requests().length;
    for (let tick = 0; tick < SETTLING_TICKS; tick += 1) await poll(worker);
    const settled = open.requests().length;
    const started = performance.now();
    for (let tick = 0; tick < STEADY_TICKS; tick += 1) await poll(worker);
    const tickMs = (performance.now() - started) / STEADY_TICKS;
    const steady = open.requests().slice(settled);
    const lookups = steady.filter(({ issues }) => issues.some((id) => !worker.state.claims.has(id)));
    return {
      first,
      steady: steady.length / STEADY_TICKS,
      steadyNotModified: steady.filter(({ notModified }) => notModified).length / STEADY_TICKS,
      lookups: lookups.length / STEADY_TICKS,
      tickMs,
    };
  } finally {
    await worker.shutdown();
    await open.stop();
  }
}

/** One poll to its end; a poll that failed would make the count a lie. */
async function poll(worker: Orchestrator): Promise<void> {
  const before = worker.state.lastPoll?.at ?? 0;
  worker.requestPoll();
  await until(worker, () => worker.state.tick.phase === 'idle' && (worker.state.lastPoll?.at ?? 0) >= before);
  const error = worker.state.lastPoll?.error ?? null;
  if (error !== null) throw new Error(`the poll failed: ${error}`);
}

function until(worker: Orchestrator, holds: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = setTimeout(() => reject(new Error('the worker did not get there in a minute')), 60_000);
    const check = (): void => {
      if (!holds()) return;
      clearTimeout(give);
      stop();
      resolve();
    };
    const stop = worker.observe(check);
    check();
  });
}
