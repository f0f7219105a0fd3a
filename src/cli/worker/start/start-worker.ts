import type { Config } from '../../../config/config.ts';
import type { LoadedWorkflow } from '../../../config/read/load.ts';
import type { StateSnapshot } from '../../../contract/state.ts';
import { systemClock } from '../../../domain/clock.ts';
import type { Orchestrator } from '../../../orchestrator/orchestrator.ts';
import { runSettings } from '../../../orchestrator/runs/run-settings.ts';
import { endOrphans } from '../../../process/children/orphans.ts';
import { type EnabledHelper, enableHelper } from '../../../process/helper/helper.ts';
import type { App } from '../../../server/app.ts';
import { createAppWhenNeeded, type LazyApp } from '../../../server/lazy-app.ts';
import { createDiffReader } from '../../../workspaces/reading/diff.ts';
import { runOwner } from '../../compose/composition.ts';
import { OwnRecord } from '../../record/own-record.ts';
import { readVersion } from '../../version.ts';
import { type Address, HttpSurface } from '../http/http-surface.ts';
import { type InsideApi, insideApi } from '../http/inside-api.ts';
import { createWorkerPort } from '../http/orchestrator-port.ts';
import { createWebhookReceiver } from '../http/webhooks.ts';
import { type OnceWatch, watchOnce } from '../once/once.ts';
import { explainIdleness } from '../report/explain-idleness.ts';
import { type Notifications, startNotifications } from '../report/notifications.ts';
import { linkTo, readAccess } from './access.ts';
import { type AssembledWorker, assembleWorker, type WorkerOptions } from './assemble-worker.ts';
import { Closing } from './closing.ts';
import { makeFolders } from './make-folders.ts';
import { followWorkflow, type Reloading } from './reload.ts';
import { TrackerWatch } from './watch-tracker.ts';

export interface Worker {
  readonly orchestrator: Orchestrator;
  /** Null when the HTTP surface is off. */
  readonly url: string | null;
  /** The address that lets whoever opens it in a browser act. It holds the token: for the user's eyes only. */
  readonly link: string | null;
  /** Null unless the worker was started for one poll. */
  readonly once: OnceWatch | null;
  /** The API from inside of this process, with the right to act; it is there without a port too. */
  readonly inside: InsideApi;
  /** The state as the API shows it. */
  snapshot(): StateSnapshot;
  /** Stops every run, then closes everything. Safe to call twice. */
  shutdown(): Promise<void>;
  /** Ends what the worker has started, agents and hooks, without asking. */
  endChildren(): Promise<void>;
}

const LOAD_APP_AFTER_MS = 1_000;

/** Puts a worker together and starts it. A failed start leaves nothing behind. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const closing = new Closing(options.logger);
  try {
    return await start(options, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function start(options: WorkerOptions, closing: Closing): Promise<Worker> {
  const { io, logger, redactor, loaded } = options;
  const helper = enableHelper();
  closing.add(() => helper.close());
  const record = await OwnRecord.make(loaded.config.workflowPath, io.environment, logger);
  let access = await readAccess(loaded.config, record, io, redactor);
  const assembled = await assembleWorker(options, closing);
  const { orchestrator } = assembled;
  let reloading: Reloading | null = null;
  const webhooks = createWebhookReceiver(orchestrator, logger);
  closing.add(async () => webhooks.stop());
  const source = createWorkerPort({
    orchestrator,
    webhooks,
    clock: systemClock,
    version: readVersion(),
    identity: record.identity,
    reloadError: () => reloading?.error ?? null,
    warnings: assembled.preflight.warnings,
    readDiff: createDiffReader(io.environment),
    redact: (text) => redactor.redact(text),
  });
  explainIdleness(orchestrator, source, logger);
  const allowedOrigins = () => orchestrator.workflow.config.server.allowedOrigins;
  const app = createAppWhenNeeded(source, { tokens: () => access, allowedOrigins, logger, webhooks });
  const surface = await openSurface(app, record, options, closing);
  const notifications = startNotifications(orchestrator, io.environment, logger);
  closing.add(() => notifications.stop());
  notifications.use(loaded.config);
  const watch = new TrackerWatch(() => void orchestrator.requestPoll(), logger);
  closing.add(() => watch.stop());
  await watch.follow(assembled.workflow.tracker);
  const once = options.once === true ? watchOnce(orchestrator) : null;
  await orchestrator.start(once === null ? 'open' : 'one_poll');
  closing.add(() => orchestrator.shutdown());
  if (surface.url !== null) loadSoon(app, closing);
  const owners = new Set([runOwner(runSettings(loaded.config))]);
  reloading = followWorkflow({
    environment: io.environment,
    logger,
    loaded,
    async apply(next) {
      access = await readAccess(next.config, record, io, redactor);
      await applyWorkflow(next, { ...assembled, surface, notifications, watch, owners }, options);
    },
  });
  closing.add(() => reloading?.stop() ?? Promise.resolve());
  return {
    orchestrator,
    url: surface.url,
    link: linkTo(surface.url, access),
    once,
    inside: insideApi(app, record.token, () => surface.url),
    snapshot: () => source.snapshot(),
    shutdown: () => closing.close(),
    endChildren: () => endChildren(helper, owners),
  };
}

async function endChildren(helper: EnabledHelper, owners: ReadonlySet<string>): Promise<void> {
  // Before the agents end, so that no hook is started because of it.
  const helperEnded = helper.abandon();
  await endOwned(owners);
  await helperEnded;
}

/** Before somebody asks, and before an update of the installation takes the files away; after what the start waits for. */
function loadSoon(app: LazyApp, closing: Closing): void {
  const timer = setTimeout(() => void app.load(), LOAD_APP_AFTER_MS);
  closing.add(async () => clearTimeout(timer));
}

interface Parts extends AssembledWorker {
  readonly surface: HttpSurface;
  readonly notifications: Notifications;
  readonly watch: TrackerWatch;
  /** Marks of what this worker has started; a reload may bring another. */
  readonly owners: Set<string>;
}

/** Everything that a changed workflow file reaches, in the order in which a start does it. */
async function applyWorkflow(loaded: LoadedWorkflow, parts: Parts, options: WorkerOptions): Promise<void> {
  const { config } = loaded;
  await makeFolders(config, options.io.environment);
  await parts.locks.acquire(config);
  const workflow = await parts.composition.workflow(config);
  await parts.preflight.takeOn(loaded);
  parts.owners.add(runOwner(runSettings(config)));
  parts.orchestrator.reload(workflow);
  parts.notifications.use(config);
  await parts.watch.follow(workflow.tracker);
  await parts.surface.move(addressOf(config, options.port));
}

/** From now on the record tells where the worker is. */
async function openSurface(
  app: App,
  record: OwnRecord,
  { logger, loaded, port }: WorkerOptions,
  closing: Closing,
): Promise<HttpSurface> {
  const address = addressOf(loaded.config, port);
  const surface = new HttpSurface(app, logger, address, (url) => record.publish(url));
  closing.add(() => surface.close());
  closing.add(() => record.remove());
  await record.publish(null);
  await (port === null ? surface.open() : surface.openNow());
  return surface;
}

function addressOf({ server }: Config, port: number | null): Address {
  return { host: server.host, port: port ?? server.port, isDefault: port === null && !server.portWritten };
}

/** Nobody is asked: who waits for this has waited long enough. */
async function endOwned(owners: ReadonlySet<string>): Promise<void> {
  await Promise.all([...owners].map((owner) => endOrphans(owner, { graceMs: 0 })));
}
