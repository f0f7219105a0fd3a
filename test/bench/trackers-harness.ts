import { systemClock } from '../../src/domain/clock.ts';
import { NO_EVIDENCE } from '../../src/domain/run-outcome.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import { Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import { workflowSnapshot } from '../../src/orchestrator/workflow-snapshot.ts';
import { createMemoryJournal } from '../../src/store/memory-journal.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { configOf } from '../conformance/scenarios/workflow.ts';

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
  /** Most requests of a steady tick. */
  limit(load: Load): number;
}

export interface OpenSubject {
  readonly tracker: Tracker;
  /** Front matter of the workflow: states, credentials; `agent` is the harness's. */
  readonly frontMatter: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the server has seen so far. */
  counts(): { readonly requests: number; readonly notModified: number };
  stop(): Promise<void>;
}

export interface Measurement {
  /** Requests until the first runs were started. */
  readonly first: number;
  /** Per tick, with every slot taken. */
  readonly steady: number;
  readonly steadyNotModified: number;
  readonly tickMs: number;
}

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
        list: async () => [],
        remove: async () => ({ removed: true, rescuedTo: null }),
      }),
    },
    workflowSnapshot(configOf(`${open.frontMatter}\n${agent}`, 'Do it.', open.environment), open.tracker),
  );
  try {
    await worker.start();
    await until(worker, () => worker.liveRuns === load.cap && worker.state.tick.phase === 'idle');
    const first = open.counts();
    const started = performance.now();
    for (let tick = 0; tick < STEADY_TICKS; tick += 1) await poll(worker);
    const after = open.counts();
    return {
      first: first.requests,
      steady: (after.requests - first.requests) / STEADY_TICKS,
      steadyNotModified: (after.notModified - first.notModified) / STEADY_TICKS,
      tickMs: (performance.now() - started) / STEADY_TICKS,
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
