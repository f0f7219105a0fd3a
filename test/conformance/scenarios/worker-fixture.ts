import type { StateSnapshot } from '../../../src/contract/state.ts';
import { NO_EVIDENCE, type RunEnd } from '../../../src/domain/run-outcome.ts';
import { RecentHistory } from '../../../src/orchestrator/history/recent-history.ts';
import { Orchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { buildStateSnapshot } from '../../../src/orchestrator/snapshot/state-snapshot.ts';
import { type WorkflowSnapshot, workflowSnapshot } from '../../../src/orchestrator/workflow-snapshot.ts';
import type { RunChannel, RunSpec } from '../../../src/run/protocol.ts';
import type { Journal } from '../../../src/store/journal.ts';
import { createMemoryJournal } from '../../../src/store/memory/memory-journal.ts';
import type { OwnedWorkspace } from '../../../src/workspaces/workspaces.ts';
import { pushNowhere } from '../../fakes/no-remote.ts';
import { settle, VirtualClock } from '../../simulation/virtual-clock.ts';
import { FakeTracker } from './fake-tracker.ts';
import { recordLines } from './record-lines.ts';
import { configOf } from './workflow.ts';

export interface FixtureRun {
  readonly spec: RunSpec;
  readonly channel: RunChannel;
  end(end: RunEnd): Promise<void>;
}

/** The real orchestrator in virtual time, between a tracker, runs, workspaces and a log that the test holds. */
export class WorkerFixture {
  readonly clock = new VirtualClock();
  readonly log = recordLines();
  readonly runs: FixtureRun[] = [];
  readonly workspaces = new Map<string, OwnedWorkspace>();
  readonly removed: string[] = [];
  tracker: FakeTracker;
  readonly worker: Orchestrator;
  #workflow: WorkflowSnapshot;

  constructor(
    frontMatter = '',
    tracker = new FakeTracker(),
    journal: Journal = createMemoryJournal(),
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.tracker = tracker;
    this.#workflow = workflowSnapshot(configOf(frontMatter, 'Do it.', environment), tracker);
    this.worker = new Orchestrator(
      {
        bootId: 'boot',
        clock: this.clock,
        logger: this.log.logger,
        journal,
        execute: (spec, channel) =>
          new Promise((resolve) => {
            const end = async (how: RunEnd): Promise<void> => {
              resolve({ end: how, turns: 1, evidence: { ...NO_EVIDENCE, newCommits: 1 } });
              await settle();
            };
            this.runs.push({ spec, channel, end });
          }),
        workspaces: () => ({
          push: pushNowhere,
          branchStanding: async () => ({ pushed: null, commitsAhead: null }),
          list: async () => [...this.workspaces.values()],
          remove: async (identifier) => {
            this.removed.push(identifier);
            return { removed: true, rescuedTo: null };
          },
        }),
      },
      this.#workflow,
    );
  }

  async start(): Promise<this> {
    await this.worker.start();
    await settle();
    return this;
  }

  /** Puts another reading of the workflow into force. */
  async reload(
    frontMatter: string,
    body?: string,
    tracker = this.tracker,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    this.tracker = tracker;
    this.#workflow = workflowSnapshot(configOf(frontMatter, body, environment), tracker);
    this.worker.reload(this.#workflow);
    await settle();
  }

  /** What a person is shown of the worker now. */
  shown(): StateSnapshot {
    return buildStateSnapshot({
      state: this.worker.state,
      activity: this.worker.activity,
      workflow: this.#workflow,
      history: new RecentHistory(),
      now: this.clock.now(),
      startedAt: 0,
      version: '0',
      reloadError: null,
      journal: { ok: true, path: null, problem: null },
    });
  }

  /** Lets virtual time pass. */
  async pass(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    while (this.clock.step(until)) await settle();
    await settle();
  }

  /** The newest run. */
  get run(): FixtureRun {
    const run = this.runs.at(-1);
    if (run === undefined) throw new Error('no run has started');
    return run;
  }
}
