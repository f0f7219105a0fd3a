import type { Config } from '../../../config/config.ts';
import type { LoadedWorkflow } from '../../../config/read/load.ts';
import { systemClock } from '../../../domain/clock.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Redactor } from '../../../observability/redact.ts';
import { Orchestrator } from '../../../orchestrator/orchestrator.ts';
import { runSettings } from '../../../orchestrator/runs/run-settings.ts';
import type { WorkflowSnapshot } from '../../../orchestrator/workflow-snapshot.ts';
import { endOrphans } from '../../../process/children/orphans.ts';
import type { ExecuteRun } from '../../../run/protocol.ts';
import { chooseJournal } from '../../../store/locks/choose-journal.ts';
import { openJournal } from '../../../store/sqlite/sqlite-journal.ts';
import { Composition, newBootId, runOwner } from '../../compose/composition.ts';
import { findEarlierRoot } from '../../compose/earlier-root.ts';
import { WorkerLocks } from '../../compose/worker-locks.ts';
import type { CliIo } from '../../io.ts';
import { WorkerPreflight } from '../../preflight/worker-preflight.ts';
import { readVersion } from '../../version.ts';
import { redactedRuns } from '../report/redacted-runs.ts';
import { openTelemetry, type Telemetry } from '../report/telemetry.ts';
import type { Closing } from './closing.ts';
import { makeFolders } from './make-folders.ts';

export interface WorkerOptions {
  readonly io: CliIo;
  readonly logger: Logger;
  /** Learns the secrets in use; everything that leaves the worker goes through it. */
  readonly redactor: Redactor;
  readonly loaded: LoadedWorkflow;
  /** Wins over `server.port` for the whole life of the process. */
  readonly port: number | null;
  /** Take on what the first poll finds and no more; `Worker.once` follows it. */
  readonly once?: boolean;
}

/** A worker that holds its locks and could run; nothing is polled, served or watched yet. */
export interface AssembledWorker {
  readonly composition: Composition;
  readonly workflow: WorkflowSnapshot;
  readonly orchestrator: Orchestrator;
  readonly preflight: WorkerPreflight;
  readonly locks: WorkerLocks;
}

/** Rejects when the worker could not work here; what was opened until then is left to `closing`. */
export async function assembleWorker(options: WorkerOptions, closing: Closing): Promise<AssembledWorker> {
  const { io, logger, redactor, loaded } = options;
  const { config } = loaded;
  await makeFolders(config, io.environment);
  await noteEarlierRoot(config, options);
  const locks = new WorkerLocks(io.environment, logger);
  closing.add(() => locks.release());
  await locks.acquire(config);
  await endLeftovers(config, logger);
  const composition = new Composition(io.environment, logger, redactor);
  const workflow = await composition.workflow(config);
  refuseUnusable(workflow);
  const preflight = await startPreflight(options, composition, closing);
  const telemetry = await startTelemetry(options, closing);
  const execute = telemetry.traced(redactedRuns(composition.runExecutor(), redactor));
  const orchestrator = await createOrchestrator(composition, workflow, execute, logger, closing);
  telemetry.follow(orchestrator);
  return { composition, workflow, orchestrator, preflight, locks };
}

async function noteEarlierRoot(config: Config, { io, logger }: WorkerOptions): Promise<void> {
  const root = await findEarlierRoot(config, io.environment);
  if (root === null) return;
  logger.warn('an earlier version kept journal and workspaces of this workflow elsewhere', {
    root,
    hint: `Set workspace.root to ${root} to go on with them, or leave them there and begin anew.`,
  });
}

/** Agents that an earlier life of this worker left running would work beside ours. */
async function endLeftovers(config: Config, logger: Logger): Promise<void> {
  const ended = await endOrphans(runOwner(runSettings(config)));
  if (ended.length > 0) logger.warn('ended agents left by an earlier worker', { pids: ended });
}

/** A worker that could never dispatch is not started; the same problem after a reload only pauses dispatch. */
function refuseUnusable({ settings }: WorkflowSnapshot): void {
  const [first] = settings.preflightErrors;
  if (first !== undefined) throw new AppError('invalid_tracker_config', first);
}

/** Rejects when runs could not work. */
async function startPreflight(
  { io, logger, redactor, loaded }: WorkerOptions,
  composition: Composition,
  closing: Closing,
): Promise<WorkerPreflight> {
  const agentEnvironment = (config: Config) => composition.lookingEnvironment(config);
  const preflight = new WorkerPreflight({ io, logger, redactor, agentEnvironment });
  closing.add(() => preflight.stop());
  await preflight.start(loaded);
  return preflight;
}

async function startTelemetry(
  { io: { environment }, logger, redactor }: WorkerOptions,
  closing: Closing,
): Promise<Telemetry> {
  const telemetry = await openTelemetry({ environment, version: readVersion(), logger, redactor });
  closing.add(() => telemetry.stop());
  return telemetry;
}

async function createOrchestrator(
  composition: Composition,
  workflow: WorkflowSnapshot,
  execute: ExecuteRun,
  logger: Logger,
  closing: Closing,
): Promise<Orchestrator> {
  const { config } = workflow;
  const { trackerScope } = runSettings(config);
  let current: Orchestrator | null = null;
  const journal = await openJournal({
    path: await chooseJournal(config.workspace.root, trackerScope),
    scope: trackerScope,
    logger,
    retention: () => ({ keepDays: (current?.workflow.config ?? config).journal.keepDays }),
  });
  closing.add(() => journal.close());
  current = new Orchestrator(
    {
      bootId: newBootId(),
      clock: systemClock,
      logger,
      journal,
      execute,
      workspaces: (snapshot) => composition.workspacesOf(snapshot),
    },
    workflow,
  );
  return current;
}
