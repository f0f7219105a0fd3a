import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { NO_EVIDENCE } from '../../../src/domain/run-outcome.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { Orchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { workflowSnapshot } from '../../../src/orchestrator/workflow-snapshot.ts';
import { createMemoryJournal } from '../../../src/store/memory/memory-journal.ts';
import { configOf } from '../../conformance/scenarios/workflow.ts';
import { pushNowhere } from '../../fakes/no-remote.ts';
import { type FaultyFixture, type FaultySubject, impatientClock } from './subjects.ts';

/** The real scheduler and orchestrator on a tracker that fails; runs start and never end by themselves. */
export interface FaultyWorker {
  readonly on: FaultyFixture;
  /** Ids of the issues whose runs were started, in order. */
  readonly started: readonly string[];
  /** Why runs were stopped. */
  readonly stopped: readonly unknown[];
  /** Identifiers whose workspaces were removed. */
  readonly removed: readonly string[];
  /** One poll to its end, an hour after the last one, so that every pause is over. True when it went well. */
  poll(): Promise<boolean>;
}

/** `held` is an issue nobody works on whose workspace is still there. */
export async function startFaultyWorker(subject: FaultySubject, held: string): Promise<FaultyWorker> {
  let hours = 0;
  const clock = impatientClock(() => Date.UTC(2027, 0, 1) + hours * 3_600_000);
  const on = await subject.open({ clock });
  const started: string[] = [];
  const stopped: unknown[] = [];
  const removed: string[] = [];
  const front = `${subject.frontMatter}\nagent: {max_concurrent_agents: 10}\npolling: {interval_ms: 3600000}`;
  const worker = new Orchestrator(
    {
      bootId: 'faults',
      clock: systemClock,
      logger: silentLogger,
      journal: createMemoryJournal(),
      execute: ({ issue }, channel) =>
        new Promise((resolve) => {
          started.push(issue.id);
          channel.stop.addEventListener('abort', () => {
            const { reason } = channel.stop;
            stopped.push(reason);
            resolve({ end: { kind: 'stopped', reason }, turns: 0, evidence: NO_EVIDENCE });
          });
        }),
      workspaces: () => ({
        push: pushNowhere,
        branchStanding: async () => ({ pushed: null, commitsAhead: null }),
        list: async () => [{ issueId: on.idOf(held), identifier: held, key: held, path: `/nowhere/${held}` }],
        async remove(identifier) {
          removed.push(identifier);
          return { removed: true, rescuedTo: null };
        },
      }),
    },
    workflowSnapshot(configOf(front, 'Do it.', { KEY: 'dummy' }), on.tracker),
  );
  onTestFinished(async () => {
    await worker.shutdown();
    await on.dispose();
  });
  await worker.start();
  await settled(worker);
  return {
    on,
    started,
    stopped,
    removed,
    async poll() {
      hours += 1;
      worker.requestPoll();
      await settled(worker);
      return worker.state.lastPoll?.ok === true;
    },
  };
}

function settled(worker: Orchestrator): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      const { tick, pending } = worker.state;
      if (tick.phase !== 'idle' || pending.size > 0) return;
      stop();
      resolve();
    };
    const stop = worker.observe(check);
    check();
  });
}
