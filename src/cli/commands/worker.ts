import { constants } from 'node:os';
import { type Command, Option } from 'commander';
import { type LoadedWorkflow, loadWorkflow } from '../../config/load.ts';
import { formatProblem, problemsToError } from '../../config/problem.ts';
import { chooseWorkflowPath } from '../../config/workflow-path.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import { createLogger } from '../../observability/create-logger.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRedactor, type Redactor } from '../../observability/redact.ts';
import type { CliIo } from '../io.ts';
import { parsePort } from '../parse-port.ts';
import { installLastResort } from '../worker/last-resort.ts';
import { exitCodeOf, ROUND_EXIT, type RoundWatch } from '../worker/once.ts';
import { formatRound, roundToJson } from '../worker/once-report.ts';
import { listenForSignals, type Signals } from '../worker/signals.ts';
import { registerSecrets, startWorker, type Worker } from '../worker/start-worker.ts';
import { namedWorkflow } from '../workflow-option.ts';

/** How long a shutdown waits for running agents. */
const DRAIN_MS = 30_000;

const NO_PORT = -1;

const HELP = `
Stops on Ctrl-C or SIGTERM: running agents are ended, their workspaces kept. A second signal ends it at once.

--once takes on what its one poll finds and what fits, and leaves everything else to the next worker: issues that wait
for a slot, retries and continuations that are scheduled. The page and API are off unless --port is given. Exit codes:
0 nothing failed, 6 a run failed, timed out or stalled, 7 the tracker could not be polled, 130 or 143 after a signal.

--dry-run asks the tracker, reads the journal and the workspaces, and works beside a running worker.`;

interface WorkerFlags {
  readonly port?: number;
  readonly once: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly printConfig: boolean;
  readonly format?: 'json' | 'table';
  readonly allowDefaults: boolean;
}

export function registerWorkerCommand(program: Command, io: CliIo, finish: (exitCode: number) => void): void {
  program
    .command('worker')
    .description('watch the tracker and run agents until stopped')
    .argument('[path]', 'the workflow file or its folder (default: $AIOPS_WORKFLOW_PATH, then ./WORKFLOW.md)')
    .option('--port <number>', 'port of the page and API; 0 picks one, -1 turns it off', parsePort)
    .option('--once', 'poll once, wait for the runs that start, then exit', false)
    .option('--dry-run', 'say what a worker would do now, change nothing, exit', false)
    .option('--json', 'with --once or --dry-run: print the result as JSON', false)
    .option('--print-config', 'show every setting and where it comes from, then exit', false)
    .addOption(
      new Option('--format <name>', 'with --print-config (default: json)').choices(['json', 'table']),
    )
    .option('--allow-defaults', 'with --print-config: show the defaults when there is no file', false)
    .addHelpText('after', HELP)
    .action(async (path: string | undefined, flags: WorkerFlags, command: Command) =>
      finish(await runWorker(namedWorkflow(command, path), flags, io)),
    );
}

async function runWorker(path: string | undefined, flags: WorkerFlags, io: CliIo): Promise<number> {
  refuseContradictions(flags);
  if (flags.printConfig) return showConfig(path, flags, io);
  const workflowPath = await chooseWorkflowPath(path, io.environment, io.cwd);
  const loaded = await loadWorkflow({ path: workflowPath, environment: io.environment });
  if (!loaded.ok) throw problemsToError(loaded.problems);
  for (const warning of loaded.warnings) io.stderr(`aiops: warning: ${formatProblem(warning)}\n`);
  const redactor = createRedactor();
  const logger = createLogger({ pretty: io.interactive, redactor });
  if (flags.dryRun) return showDryRun(loaded, logger, redactor, flags, io);
  const port = flags.port ?? (flags.once ? NO_PORT : null);
  const worker = await startWorker({ io, logger, redactor, loaded, port, once: flags.once });
  const forgetFaults = installLastResort({
    shutdown: () => worker.shutdown(),
    logger,
    limitMs: DRAIN_MS,
    exit: (code) => process.exit(code),
  });
  void warnAboutTemplate(loaded, logger);
  logger.info('worker ready', { workflow: workflowPath, url: worker.url });
  // Only to a person's own terminal: a log that is kept must not hold the token.
  if (io.interactive && worker.link !== null) io.stderr(`Page, with the right to act: ${worker.link}\n`);
  const signals = listenForSignals();
  const { round } = worker;
  const { exitCode, text } =
    round === null
      ? await untilSignal(worker, signals, logger)
      : await finishRound(worker, round, signals, logger, flags.json);
  signals.forget();
  forgetFaults();
  io.stdout(redactor.redact(text));
  return exitCode;
}

/** A flag that would do nothing is refused: whoever gave it expects something else. */
function refuseContradictions(flags: WorkerFlags): void {
  const { once, dryRun, printConfig } = flags;
  const ways = [once && '--once', dryRun && '--dry-run', printConfig && '--print-config'].filter(Boolean);
  if (ways.length > 1)
    throw new AppError('usage', `${ways.join(' and ')} exclude each other`, { hint: 'Give one of them.' });
  if (flags.json && !once && !dryRun)
    throw new AppError('usage', '--json goes with --once or --dry-run', {
      hint: printConfig
        ? '--print-config prints JSON by itself.'
        : 'A worker that goes on logs JSON lines to standard error by itself.',
    });
  if (dryRun && flags.port !== undefined)
    throw new AppError('usage', '--dry-run opens no port', { hint: 'Leave --port out.' });
  if (printConfig) return;
  const idle = flags.format !== undefined ? '--format' : flags.allowDefaults ? '--allow-defaults' : null;
  if (idle !== null)
    throw new AppError('usage', `${idle} goes with --print-config`, {
      hint: `Add --print-config, or leave ${idle} out.`,
    });
}

async function showDryRun(
  { config }: LoadedWorkflow,
  logger: Logger,
  redactor: Redactor,
  { json }: WorkerFlags,
  io: CliIo,
): Promise<number> {
  const { lookAhead } = await import('../worker/dry-run.ts');
  const { dryRunToJson, formatDryRun } = await import('../worker/dry-run-report.ts');
  registerSecrets(redactor, config, { full: null, readOnly: null });
  const plan = await lookAhead(config, logger);
  io.stdout(redactor.redact(json ? dryRunToJson(plan) : formatDryRun(plan)));
  return plan.foresight.state.lastPoll?.ok === true ? ROUND_EXIT.ok : ROUND_EXIT.pollFailed;
}

async function showConfig(path: string | undefined, flags: WorkerFlags, io: CliIo): Promise<number> {
  const { printConfig } = await import('./print-config.ts');
  const { port, format = 'json', allowDefaults } = flags;
  return printConfig({ directory: path, format, allowDefaults, ...(port === undefined ? {} : { port }) }, io);
}

/** A template that cannot be rendered fails every run; better said at the start. */
async function warnAboutTemplate({ config }: LoadedWorkflow, logger: Logger): Promise<void> {
  const { checkTemplate } = await import('../../prompt/check-template.ts');
  const problems = await checkTemplate({
    template: config.promptTemplate,
    firstLine: config.promptLine,
    trackerKind: config.tracker.kind,
  });
  for (const problem of problems) logger.warn('the prompt template fails', { problem: problem.message });
}

interface Ended {
  readonly exitCode: number;
  readonly text: string;
}

async function untilSignal(worker: Worker, signals: Signals, logger: Logger): Promise<Ended> {
  await endWorker(worker, logger, { signal: await signals.first, running: worker.orchestrator.liveRuns });
  return { exitCode: 0, text: '' };
}

async function finishRound(
  worker: Worker,
  watch: RoundWatch,
  signals: Signals,
  logger: Logger,
  json: boolean,
): Promise<Ended> {
  const interruptedBy = await Promise.race([watch.over.then(() => null), signals.first]);
  // What still waits is told as it was before the worker closed.
  const finished = interruptedBy === null ? watch.report(systemClock.now()) : null;
  await endWorker(worker, logger, { signal: interruptedBy, running: worker.orchestrator.liveRuns });
  const round = finished ?? watch.report(systemClock.now());
  const exitCode = interruptedBy === null ? exitCodeOf(round) : 128 + constants.signals[interruptedBy];
  const end = { round, interruptedBy, exitCode };
  return { exitCode, text: json ? roundToJson(end) : formatRound(end, systemClock.now()) };
}

async function endWorker(worker: Worker, logger: Logger, about: Record<string, unknown>): Promise<void> {
  logger.info('shutting down', about);
  const late = setTimeout(() => {
    logger.error('running agents did not end in time', { waited_ms: DRAIN_MS });
    process.exit(1);
  }, DRAIN_MS);
  await worker.shutdown();
  clearTimeout(late);
  logger.info('stopped');
}
