import { constants } from 'node:os';
import { type Command, Option } from 'commander';
import type { LoadedWorkflow } from '../../config/read/load.ts';
import { formatProblem, problemsToError } from '../../config/read/problem.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRedactor, type Redactor } from '../../observability/redact.ts';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import { parsePort } from '../parse-port.ts';
import type { RegisterCommand } from '../register-command.ts';
import { listenForSignals, type Signals } from '../signals.ts';
import { formatBanner } from '../terminal/banner.ts';
import { type Look, lookOf } from '../terminal/look.ts';
import { withProgress } from '../terminal/progress.ts';
import type { WorkerTerminal } from '../terminal/worker-terminal.ts';
import type { OwnBoard } from '../tui/own-board.ts';
import { readVersion } from '../version.ts';
import { loadWorkflow } from '../workflow-file.ts';
import { namedWorkflow } from '../workflow-option.ts';
import { type GoDoctorFlags, refuseDoctorFlags, runGoDoctor, withGoDoctor } from './go-doctor.ts';
import { exitCodeOf, type OnceWatch } from './once/once.ts';
import { formatOnce, onceToJson } from './once/once-report.ts';
import { type LogFileFlags, withLogFile } from './report/log-file.ts';
import { type Output, type OutputFlags, openOutput } from './report/output.ts';
import { loadOwnBoard, refuseBoard, showOwnBoard } from './report/own-board.ts';
import { registerSecrets } from './start/access.ts';
import { startWorker, type Worker } from './start/start-worker.ts';
import { endWorker, shutdownLimit } from './stop/shut-down.ts';
import { handleUncaughtErrors } from './stop/uncaught-errors.ts';

const NO_PORT = -1;

const HELP = `${examplesText(
  'aiops worker',
  'aiops worker --port 4100 --log-level debug',
  'aiops worker --tui',
  'aiops worker --log-file worker.log --log-file-size 5M',
  'aiops worker --once --json',
  'aiops worker --dry-run',
  'aiops worker --print-config --format table',
)}
Stops on Ctrl-C, SIGTERM or SIGHUP: running agents are ended, after_run has its time, workspaces are kept. It says what it
waits for. A second signal ends the agents' processes and leaves at once.

--once takes on what its one poll finds and what fits, and leaves everything else to the next worker: issues that wait
for a slot, retries and continuations that are scheduled. The page and API are off unless --port is given. Exit codes:
0 nothing failed, 6 a run failed, timed out or stalled, 7 the tracker could not be polled, 130 or 143 after a signal.

On a terminal it tells what happens, one line each; everywhere else it logs JSON lines. --log-format, --log-level and
--quiet change that, and NO_COLOR and FORCE_COLOR the colours. With --log-file the JSON lines go to that file, which begins
anew at 10 MiB and keeps the 4 before it (worker.log.1 is the newest of them).

Every start begins with a preflight of at most 3 seconds: repository, agent, tracker, prompt. What cannot work ends it with exit
code 8 and the fix; what may heal is a warning until it does. \`aiops doctor\` shows the whole list.

--dry-run asks the tracker, reads the journal and the workspaces, and works beside a running worker.`;

interface WorkerFlags extends LogFileFlags, GoDoctorFlags {
  readonly port?: number;
  readonly once: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly printConfig: boolean;
  readonly format?: 'json' | 'table';
  readonly allowDefaults: boolean;
  readonly logFormat: OutputFlags['logFormat'];
  readonly logLevel?: NonNullable<OutputFlags['logLevel']>;
  readonly quiet: boolean;
  /** Undefined when the command line does not say. */
  readonly tui?: boolean;
}

export const registerWorkerCommand: RegisterCommand = (program, io, finish) => {
  withGoDoctor(withLogFile(program.command('worker')))
    .description('watch the tracker and run agents until stopped')
    .argument('[path]', 'the workflow file or its folder (default: $AIOPS_WORKFLOW_PATH, then ./WORKFLOW.md)')
    .option('--port <number>', 'port of the page and API; 0 picks one, -1 turns it off', parsePort)
    .option('--once', 'poll once, wait for the runs that start, then exit', false)
    .option('--dry-run', 'say what a worker would do now, change nothing, exit', false)
    .option('--json', 'with --once, --dry-run or --doctor: print the result as JSON', false)
    .addOption(
      new Option('--log-format <name>', 'lines for a person or JSON lines; auto: for a person on a terminal')
        .choices(['auto', 'pretty', 'json'])
        .default('auto'),
    )
    .addOption(
      new Option('--log-level <name>', 'the least that is logged (default: info)').choices([
        'debug',
        'info',
        'warn',
        'error',
      ]),
    )
    .option('--quiet', 'only what needs attention', false)
    .option('--tui', 'show the board of `aiops tui` in this terminal; q stops the worker as Ctrl-C does')
    .addOption(new Option('--no-tui', 'not even when observability.dashboard_enabled says so').hideHelp())
    .option('--print-config', 'show every setting and where it comes from, then exit', false)
    .addOption(
      new Option('--format <name>', 'with --print-config (default: json)').choices(['json', 'table']),
    )
    .option('--allow-defaults', 'with --print-config: show the defaults when there is no file', false)
    .addHelpText('after', HELP)
    .action(async (path: string | undefined, flags: WorkerFlags, command: Command) =>
      finish(await runWorker(namedWorkflow(command, path), flags, io)),
    );
};

async function runWorker(path: string | undefined, flags: WorkerFlags, given: CliIo): Promise<number> {
  refuseContradictions(flags);
  if (flags.doctor) return runGoDoctor(path, flags, given);
  if (flags.printConfig) return showConfig(path, flags, given);
  const workflowPath = await chooseWorkflowPath(path, given.environment, given.cwd);
  const loaded = await loadWorkflow({ path: workflowPath, environment: given.environment });
  if (!loaded.ok) throw problemsToError(loaded.problems);
  for (const warning of loaded.warnings) given.stderr(`aiops: warning: ${formatProblem(warning)}\n`);
  const board = await loadOwnBoard(flags, loaded.config, given);
  const io = board === null ? given : { ...given, stderr: board.write, columns: () => board.columns };
  const redactor = createRedactor();
  const output = openOutput(flags, io, redactor, path);
  const { logger, terminal } = output;
  if (flags.dryRun) return showDryRun(loaded, logger, redactor, flags, io);
  const port = flags.port ?? (flags.once ? NO_PORT : null);
  const worker = await startWorker({ io, logger, redactor, loaded, port, once: flags.once });
  const forgetFaults = handleUncaughtErrors({
    shutdown: () => worker.shutdown(),
    logger,
    limitMs: shutdownLimit(loaded.config),
    exit: (code) => process.exit(code),
  });
  logger.info('worker ready', { workflow: workflowPath, url: worker.url });
  const signals = listenForSignals(() => worker.endChildren());
  if (board !== null) showOwnBoard(board, worker, loaded.config, () => signals.raise('SIGINT'));
  const stopTelling = terminal === null ? null : present(worker, loaded, terminal, flags, io);
  const { once } = worker;
  const { exitCode, text } =
    once === null
      ? await untilSignal(worker, signals, output, board)
      : await finishOnce(worker, once, signals, output, flags.json ? null : lookOf(io));
  stopTelling?.();
  signals.forget();
  forgetFaults();
  io.stdout(redactor.redact(text));
  return exitCode;
}

/** A flag that would do nothing is refused: whoever gave it expects something else. */
function refuseContradictions(flags: WorkerFlags): void {
  refuseDoctorFlags(flags);
  const { once, dryRun, printConfig, doctor } = flags;
  const way = once ? '--once' : dryRun ? '--dry-run' : doctor ? '--doctor' : null;
  if (printConfig && way !== null)
    throw new AppError('usage', `${way} and --print-config exclude each other`, {
      hint: 'Give one of them.',
    });
  if (doctor && (once || dryRun))
    throw new AppError('usage', `${way} and --doctor exclude each other`, { hint: 'Give one of them.' });
  if (flags.json && way === null)
    throw new AppError('usage', '--json goes with --once, --dry-run or --doctor', {
      hint: printConfig
        ? '--print-config prints JSON by itself.'
        : 'A worker that goes on logs JSON lines to standard error by itself.',
    });
  refuseBoard(flags);
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
  loaded: LoadedWorkflow,
  logger: Logger,
  redactor: Redactor,
  { json }: WorkerFlags,
  io: CliIo,
): Promise<number> {
  const { lookAhead } = await import('./once/dry-run.ts');
  const { dryRunToJson, formatDryRun } = await import('./once/dry-run-report.ts');
  const { WorkerPreflight } = await import('../preflight/worker-preflight.ts');
  const { config } = loaded;
  registerSecrets(redactor, config, { full: null, readOnly: null });
  const preflight = new WorkerPreflight({ io, logger, redactor });
  await preflight.start(loaded);
  await preflight.stop();
  const plan = await withProgress(io, 'asking the tracker', () => lookAhead(config, logger));
  io.stdout(redactor.redact(json ? dryRunToJson(plan) : formatDryRun(plan, lookOf(io))));
  return plan.firstPoll.state.lastPoll?.ok === true ? EXIT.ok : EXIT.pollFailed;
}

async function showConfig(path: string | undefined, flags: WorkerFlags, io: CliIo): Promise<number> {
  const { printConfig } = await import('../config/print.ts');
  const { port, format = 'json', allowDefaults } = flags;
  return printConfig({ directory: path, format, allowDefaults, ...(port === undefined ? {} : { port }) }, io);
}

interface Ended {
  readonly exitCode: number;
  readonly text: string;
}

async function untilSignal(
  worker: Worker,
  signals: Signals,
  output: Output,
  board: OwnBoard | null,
): Promise<Ended> {
  const signal = await signals.first;
  board?.close();
  await goDown(worker, output, signal);
  return { exitCode: EXIT.ok, text: '' };
}

function goDown(worker: Worker, output: Output, signal: NodeJS.Signals | null): Promise<void> {
  const limitMs = shutdownLimit(worker.orchestrator.workflow.config);
  return endWorker(worker, output, {
    signal,
    limitMs,
    clock: systemClock,
    exit: (code) => process.exit(code),
  });
}

async function finishOnce(
  worker: Worker,
  watch: OnceWatch,
  signals: Signals,
  output: Output,
  /** Null prints JSON. */
  look: Look | null,
): Promise<Ended> {
  const interruptedBy = await Promise.race([watch.over.then(() => null), signals.first]);
  // What still waits is told as it was before the worker closed.
  const finished = interruptedBy === null ? watch.report(systemClock.now()) : null;
  await goDown(worker, output, interruptedBy);
  const report = finished ?? watch.report(systemClock.now());
  const exitCode = interruptedBy === null ? exitCodeOf(report) : 128 + constants.signals[interruptedBy];
  const end = { report, interruptedBy, exitCode };
  return { exitCode, text: look === null ? onceToJson(end) : formatOnce(end, systemClock.now(), look) };
}

/** Says what was started and tells from then on what happens; the returned function ends that. */
function present(
  worker: Worker,
  { config }: LoadedWorkflow,
  terminal: WorkerTerminal,
  { quiet, once, tui = config.observability.dashboardEnabled === true }: WorkerFlags,
  io: CliIo,
): () => void {
  if (!quiet && !once && !tui) {
    // Only to a person's own terminal: a log that is kept must not hold the token.
    const page = (io.interactive ? worker.link : null) ?? worker.url;
    const facts = {
      version: readVersion(),
      config,
      page,
      journal: worker.orchestrator.journal.status.path ?? 'none',
    };
    io.stderr(formatBanner(facts, io.columns?.() ?? null));
  }
  return terminal.follow({
    snapshot: () => worker.snapshot(),
    observe: (onChange) => worker.orchestrator.observe(onChange),
    settled: () => !worker.orchestrator.surveying,
  });
}
