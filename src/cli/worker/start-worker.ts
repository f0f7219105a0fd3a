import type { Config, RepoConfig } from '../../config/config.ts';
import type { LoadedWorkflow } from '../../config/read/load.ts';
import type { Secret } from '../../config/resolve/secret.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Redactor } from '../../observability/redact.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { runSettings } from '../../orchestrator/runs/run-settings.ts';
import type { WorkflowSnapshot } from '../../orchestrator/workflow-snapshot.ts';
import { endOrphans } from '../../process/table/orphans.ts';
import type { ExecuteRun } from '../../run/protocol.ts';
import type { AccessTokens, UserTokens } from '../../server/access/access.ts';
import { type App, createApp } from '../../server/app.ts';
import type { WorkerPort } from '../../server/worker-port.ts';
import { chooseJournal } from '../../store/locks/choose-journal.ts';
import { openJournal } from '../../store/sqlite/sqlite-journal.ts';
import { createDiffReader } from '../../workspaces/reading/diff.ts';
import { Composition, newBootId, runOwner } from '../compose.ts';
import type { CliIo } from '../io.ts';
import { WorkerPreflight } from '../preflight/worker-preflight.ts';
import { OwnRecord } from '../record/own-record.ts';
import { pageLink } from '../record/page-link.ts';
import { readVersion } from '../version.ts';
import { readApiTokens } from './api-tokens.ts';
import { findEarlierRoot } from './earlier-root.ts';
import { explainIdleness } from './explain-idleness.ts';
import { type Address, HttpSurface } from './http-surface.ts';
import { startNotifications } from './notifications.ts';
import { type RoundWatch, watchRound } from './once.ts';
import { createWorkerPort } from './orchestrator-port.ts';
import { makeFolders } from './preconditions.ts';
import { redactedRuns } from './redacted-runs.ts';
import { followWorkflow, type Reloading } from './reload.ts';
import { openTelemetry, type Telemetry } from './telemetry.ts';
import { TrackerWatch } from './watch-tracker.ts';
import { createWebhookReceiver } from './webhooks.ts';
import { WorkerLocks } from './worker-locks.ts';

export interface WorkerOptions {
  readonly io: CliIo;
  readonly logger: Logger;
  /** Learns the secrets in use; everything that leaves the worker goes through it. */
  readonly redactor: Redactor;
  readonly loaded: LoadedWorkflow;
  /** Wins over `server.port` for the whole life of the process. */
  readonly port: number | null;
  /** Take on what the first poll finds and no more; `Worker.round` follows it. */
  readonly once?: boolean;
}

export interface Worker {
  readonly orchestrator: Orchestrator;
  /** Null when the HTTP surface is off. */
  readonly url: string | null;
  /** The address that lets whoever opens it in a browser act. It holds the token: for the user's eyes only. */
  readonly link: string | null;
  /** Null unless the worker was started for one poll. */
  readonly round: RoundWatch | null;
  /** The state as the API shows it. */
  snapshot(): StateSnapshot;
  /** Stops every run, then closes everything. Safe to call twice. */
  shutdown(): Promise<void>;
  /** Ends what the worker has started, agents and hooks, without asking. */
  endChildren(): Promise<void>;
}

/** Puts a worker together and starts it. A failed start leaves nothing behind. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const closing = new Closing(options.logger);
  try {
    const parts = await assemble(options, closing);
    return {
      orchestrator: parts.orchestrator,
      url: parts.surface.url,
      link: parts.link,
      round: parts.round,
      snapshot: () => parts.source.snapshot(),
      shutdown: () => closing.close(),
      endChildren: () => endOwned(parts.owners),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

interface Parts {
  readonly orchestrator: Orchestrator;
  readonly surface: HttpSurface;
  readonly link: string | null;
  readonly round: RoundWatch | null;
  readonly source: WorkerPort;
  /** Marks of what this worker has started; a reload may bring another. */
  readonly owners: ReadonlySet<string>;
}

async function assemble(options: WorkerOptions, closing: Closing): Promise<Parts> {
  const { io, logger, redactor, loaded } = options;
  const { config } = loaded;
  const record = await OwnRecord.make(config.workflowPath, io.environment, logger);
  let access = await readAccess(config, record, options);
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
  let reloading: Reloading | null = null;
  const owners = new Set([runOwner(runSettings(config))]);
  const webhooks = createWebhookReceiver(orchestrator, logger);
  closing.add(async () => webhooks.stop());
  const source = createWorkerPort({
    orchestrator,
    webhooks,
    clock: systemClock,
    version: readVersion(),
    identity: record.identity,
    reloadError: () => reloading?.error ?? null,
    warnings: preflight.warnings,
    readDiff: createDiffReader(io.environment),
    redact: (text) => redactor.redact(text),
  });
  explainIdleness(orchestrator, source, logger);
  const app = createApp(source, { tokens: () => access, logger, webhooks });
  const surface = await openSurface(app, record, options, closing);
  const notifications = startNotifications(orchestrator, io.environment, logger);
  closing.add(() => notifications.stop());
  notifications.use(config);
  const watch = new TrackerWatch(() => void orchestrator.requestPoll(), logger);
  closing.add(() => watch.stop());
  await watch.follow(workflow.tracker);
  const round = options.once === true ? watchRound(orchestrator) : null;
  await orchestrator.start(round === null ? 'open' : 'one_poll');
  closing.add(() => orchestrator.shutdown());
  reloading = followWorkflow({
    environment: io.environment,
    logger,
    loaded,
    async apply(next) {
      access = await readAccess(next.config, record, options);
      await makeFolders(next.config, io.environment);
      await locks.acquire(next.config);
      const snapshot = await composition.workflow(next.config);
      await preflight.takeOn(next);
      owners.add(runOwner(runSettings(next.config)));
      orchestrator.reload(snapshot);
      notifications.use(next.config);
      await watch.follow(snapshot.tracker);
      await surface.move(addressOf(next.config, options.port));
    },
  });
  closing.add(() => reloading?.stop() ?? Promise.resolve());
  return { orchestrator, surface, link: linkTo(surface.url, access), round, source, owners };
}

/** What opens the API from now on. */
async function readAccess(
  config: Config,
  { token }: OwnRecord,
  { io, redactor }: WorkerOptions,
): Promise<AccessTokens> {
  const tokens = await readApiTokens(io.environment, io.cwd);
  registerSecrets(redactor, config, tokens);
  redactor.register(token);
  return { ...tokens, own: token, required: config.server.requireToken };
}

async function startTelemetry(
  { io: { environment }, logger, redactor }: WorkerOptions,
  closing: Closing,
): Promise<Telemetry> {
  const telemetry = await openTelemetry({ environment, version: readVersion(), logger, redactor });
  closing.add(() => telemetry.stop());
  return telemetry;
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

/** From now on these values are taken out of logs, events, the journal and answers. */
export function registerSecrets(redactor: Redactor, config: Config, tokens: UserTokens): void {
  const { webhookUrl, slackUrl } = config.notifications;
  const { repo, tracker, server } = config;
  const ofRepository = [repo?.token, repo?.credential?.password, tokenAsUser(repo)];
  const secrets = [tracker.apiKey, webhookUrl, slackUrl, server.webhooks.secret, ...ofRepository];
  const values = [...secrets.map((secret) => secret?.reveal()), tokens.full, tokens.readOnly];
  for (const value of values) if (typeof value === 'string') redactor.register(value);
}

/** `https://TOKEN@host/…` writes a token where a name stands; a name beside a password is none. */
function tokenAsUser(repo: RepoConfig | null): Secret | null {
  const credential = repo?.credential ?? null;
  return credential?.password === null ? credential.username : null;
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

/** Where the user set a token, the browser asks for that one. */
function linkTo(url: string | null, { full, readOnly, own }: AccessTokens): string | null {
  if (url === null) return null;
  return pageLink(url, full === null && readOnly === null ? { token: own } : {});
}

function addressOf({ server }: Config, port: number | null): Address {
  return { host: server.host, port: port ?? server.port, isDefault: port === null && !server.portWritten };
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

/** Nobody is asked: who waits for this has waited long enough. */
async function endOwned(owners: ReadonlySet<string>): Promise<void> {
  await Promise.all([...owners].map((owner) => endOrphans(owner, { graceMs: 0 })));
}

/** A worker that could never dispatch is not started; the same problem after a reload only pauses dispatch. */
function refuseUnusable({ settings }: WorkflowSnapshot): void {
  const [first] = settings.preflightErrors;
  if (first !== undefined) throw new AppError('invalid_tracker_config', first);
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

/** What was opened, closed again in reverse order, once. */
class Closing {
  readonly #logger: Logger;
  readonly #steps: (() => Promise<void>)[] = [];
  #done: Promise<void> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  close(): Promise<void> {
    this.#done ??= this.#closeAll();
    return this.#done;
  }

  async #closeAll(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        this.#logger.warn('a part did not close', { error: messageOf(error) });
      }
    }
  }
}
