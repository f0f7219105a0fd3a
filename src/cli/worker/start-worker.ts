import type { Config } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { trackerScope } from '../../orchestrator/run-settings.ts';
import type { WorkflowSnapshot } from '../../orchestrator/workflow-snapshot.ts';
import { endOrphans } from '../../process/orphans.ts';
import { createApp } from '../../server/app.ts';
import { type Listener, listen } from '../../server/listen.ts';
import type { Journal } from '../../store/journal.ts';
import { openJournal } from '../../store/sqlite-journal.ts';
import { acquireWorkerLock } from '../../store/worker-lock.ts';
import { Composition, journalPath, newBootId, runOwner } from '../compose.ts';
import type { CliIo } from '../io.ts';
import { readVersion } from '../version.ts';
import { checkPreconditions } from './preconditions.ts';
import { createStateSource } from './state-source.ts';
import { watchTracker } from './watch-tracker.ts';

export interface WorkerOptions {
  readonly io: CliIo;
  readonly logger: Logger;
  readonly config: Config;
  readonly port: number;
}

export interface Worker {
  readonly orchestrator: Orchestrator;
  /** Null when the HTTP surface is off. */
  readonly listener: Listener | null;
  /** Stops every run, then closes everything. Safe to call twice. */
  shutdown(): Promise<void>;
}

/** Puts a worker together and starts it. A failed start leaves nothing behind. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { io, logger, config } = options;
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      await close().catch((error: unknown) =>
        logger.warn('a part did not close', { error: messageOf(error) }),
      );
    }
  };
  try {
    await checkPreconditions(config, io.environment, io.cwd);
    const lock = await acquireWorkerLock({
      root: config.workspace.root,
      scope: trackerScope(config.tracker),
      workflowPath: config.workflowPath,
    });
    closers.push(() => lock.release());
    await endLeftovers(config, logger);
    const composition = new Composition(io.environment, logger);
    const workflow = await composition.workflow(config);
    refuseUnusable(workflow);
    const journal = await openJournal({ path: journalPath(config), logger });
    closers.push(() => journal.close());
    const orchestrator = compose(composition, workflow, journal, logger);
    const listener = await openListener(options, orchestrator);
    if (listener !== null) closers.push(() => listener.close());
    closers.push(await watchTracker(orchestrator, logger));
    await orchestrator.start();
    closers.push(() => orchestrator.shutdown());
    let ending: Promise<void> | null = null;
    return {
      orchestrator,
      listener,
      shutdown() {
        ending ??= closeAll();
        return ending;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Agents that an earlier life of this worker left running would work beside ours. */
async function endLeftovers(config: Config, logger: Logger): Promise<void> {
  const ended = await endOrphans(runOwner(config.workspace.root));
  if (ended.length > 0) logger.warn('ended agents left by an earlier worker', { pids: ended });
}

/** A worker that could never dispatch is not started; the same problem after a reload only pauses dispatch. */
function refuseUnusable({ settings }: WorkflowSnapshot): void {
  const [first] = settings.preflightErrors;
  if (first !== undefined) throw new AppError('invalid_tracker_config', first);
}

function compose(
  composition: Composition,
  workflow: WorkflowSnapshot,
  journal: Journal,
  logger: Logger,
): Orchestrator {
  return new Orchestrator(
    {
      bootId: newBootId(),
      clock: systemClock,
      logger,
      journal,
      execute: composition.runExecutor(),
      workspaces: (snapshot) => composition.workspacesOf(snapshot),
    },
    workflow,
  );
}

async function openListener(options: WorkerOptions, orchestrator: Orchestrator): Promise<Listener | null> {
  if (options.port < 0) return null;
  const source = createStateSource(orchestrator, systemClock, readVersion(), () => null);
  const token = options.io.environment['AIOPS_STATE_API_TOKEN'] ?? null;
  const app = createApp(source, { token, logger: options.logger });
  return listen({ app, host: options.config.server.host, port: options.port, logger: options.logger });
}
