import { systemClock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { parsePort } from '../parse-port.ts';
import type { RegisterCommand } from '../register-command.ts';
import { onSignals } from '../signals.ts';
import { lookOf } from '../terminal/look.ts';
import { DemoBoard } from './demo-board.ts';
import { createGit } from './demo-git.ts';
import { type DemoResult, runDemo } from './run-demo.ts';
import { createScratch, type Scratch } from './scratch.ts';
import { formatSummary, isFinished, summaryJson } from './summary.ts';

const LIMIT_MS = 55_000;

interface DemoFlags {
  readonly keepRunning: boolean;
  readonly tui: boolean;
  readonly port: number;
  readonly json: boolean;
}

export const registerDemoCommand: RegisterCommand = (program, io, finish) => {
  program
    .command('demo')
    .description('watch six issues become branches, in a scratch directory, without any account')
    .option('--keep-running', 'leave the worker and its page up until Ctrl-C', false)
    .option('--tui', 'watch on the board of `aiops tui`; q leaves it', false)
    .option('--port <number>', 'port of the page; 0 picks a free one', parsePort, 0)
    .option('--json', 'print what came of it as JSON, and what happens to standard error', false)
    .addHelpText(
      'after',
      `${examplesText('aiops demo', 'aiops demo --keep-running')}` +
        '\nNeeds git and nothing else. The scratch directory is kept at the end, for you to look at; Ctrl-C removes it.',
    )
    .action(async (flags: DemoFlags) => finish(await demo(flags, io)));
};

async function demo(flags: DemoFlags, given: CliIo): Promise<number> {
  if (flags.json && flags.tui)
    throw new AppError('usage', '--json and --tui exclude each other', { hint: 'Give one of them.' });
  const board = flags.tui ? await DemoBoard.load(given) : null;
  const told = board === null ? (flags.json ? given.stderr : given.stdout) : board.write;
  const io = { ...given, stdout: told };
  const stop = new AbortController();
  const halt = (): void => {
    board?.close();
    io.stdout('\nStopping the worker …\n');
    stop.abort();
  };
  // To exit at the second would leave the worker and its directory behind. The stop under way is bounded.
  const forget = onSignals(halt, () => {});
  io.stdout('Creating a project, its remote and six issues …\n');
  const scratch = await createScratch(createGit(io.environment), systemClock.now());
  try {
    board?.open(scratch.workflowPath, halt);
    const run = { io, clock: systemClock, scratch, port: flags.port, limitMs: LIMIT_MS, signal: stop.signal };
    const result = await runDemo(run);
    await board?.untilLeft(result.worker.exited);
    if (flags.json) given.stdout(jsonText(summaryJson(result.facts, scratch, result.worker.url)));
    return await conclude(result, scratch, flags, io, stop.signal);
  } catch (error) {
    board?.close();
    await scratch.remove();
    if (!stop.signal.aborted) throw error;
    io.stdout('\nStopped. The worker has ended and the scratch directory is gone.\n');
    return EXIT.interrupted;
  } finally {
    forget();
  }
}

async function conclude(
  { worker, facts }: DemoResult,
  scratch: Scratch,
  flags: DemoFlags,
  io: CliIo,
  stopped: AbortSignal,
): Promise<number> {
  io.stdout(formatSummary(facts, scratch, flags.keepRunning ? worker.url : null, lookOf(io)));
  if (flags.keepRunning) {
    io.stdout('Still running; Ctrl-C ends it and removes the scratch directory.\n');
    await Promise.race([aborted(stopped), worker.exited]);
  }
  await worker.stop();
  stopped.throwIfAborted();
  if (isFinished(facts)) return EXIT.ok;
  io.stderr('aiops: the demo did not end as it should; the rows marked !! say what is missing.\n');
  return EXIT.failed;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
