import { type Command, Option } from 'commander';
import { type LoadedWorkflow, loadWorkflow } from '../../config/load.ts';
import { formatProblem, problemsToError } from '../../config/problem.ts';
import { chooseWorkflowPath } from '../../config/workflow-path.ts';
import { createLogger } from '../../observability/create-logger.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRedactor } from '../../observability/redact.ts';
import type { CliIo } from '../io.ts';
import { parsePort } from '../parse-port.ts';
import { onSignals } from '../worker/signals.ts';
import { startWorker, type Worker } from '../worker/start-worker.ts';

/** How long a shutdown waits for running agents. */
const DRAIN_MS = 30_000;

interface WorkerFlags {
  readonly port?: number;
  readonly printConfig: boolean;
  readonly format: 'json' | 'table';
  readonly allowDefaults: boolean;
}

export function registerWorkerCommand(program: Command, io: CliIo, finish: (exitCode: number) => void): void {
  program
    .command('worker')
    .description('watch the tracker and run agents until stopped')
    .argument('[path]', 'the workflow file or its folder (default: $AIOPS_WORKFLOW_PATH, then ./WORKFLOW.md)')
    .option('--port <number>', 'port of the page and API; 0 picks one, -1 turns it off', parsePort)
    .option('--print-config', 'show every setting and where it comes from, then exit', false)
    .addOption(
      new Option('--format <name>', 'with --print-config').choices(['json', 'table']).default('json'),
    )
    .option('--allow-defaults', 'with --print-config: show the defaults when there is no file', false)
    .addHelpText(
      'after',
      '\nStops on Ctrl-C or SIGTERM: running agents are ended, their workspaces kept. A second signal ends it at once.',
    )
    .action(async (path: string | undefined, flags: WorkerFlags) => finish(await runWorker(path, flags, io)));
}

async function runWorker(path: string | undefined, flags: WorkerFlags, io: CliIo): Promise<number> {
  if (flags.printConfig) return showConfig(path, flags, io);
  const workflowPath = await chooseWorkflowPath(path, io.environment, io.cwd);
  const loaded = await loadWorkflow({ path: workflowPath, environment: io.environment });
  if (!loaded.ok) throw problemsToError(loaded.problems);
  for (const warning of loaded.warnings) io.stderr(`aiops: warning: ${formatProblem(warning)}\n`);
  const redactor = createRedactor();
  const logger = createLogger({ pretty: io.interactive, redactor });
  const worker = await startWorker({ io, logger, redactor, loaded, port: flags.port ?? null });
  void warnAboutTemplate(loaded, logger);
  logger.info('worker ready', { workflow: workflowPath, url: worker.url });
  return waitForEnd(worker, logger);
}

async function showConfig(path: string | undefined, flags: WorkerFlags, io: CliIo): Promise<number> {
  const { printConfig } = await import('./print-config.ts');
  const { port, format, allowDefaults } = flags;
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

/** Resolves with the exit code once a signal has ended the worker. */
function waitForEnd(worker: Worker, logger: Logger): Promise<number> {
  return new Promise((resolve) => {
    const stop = onSignals(
      (signal) => {
        logger.info('shutting down', { signal, running: worker.orchestrator.liveRuns });
        const late = setTimeout(() => {
          logger.error('running agents did not end in time', { waited_ms: DRAIN_MS });
          process.exit(1);
        }, DRAIN_MS);
        void worker.shutdown().then(() => {
          clearTimeout(late);
          stop();
          logger.info('stopped');
          resolve(0);
        });
      },
      () => process.exit(130),
    );
  });
}
