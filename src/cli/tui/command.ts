import { constants } from 'node:os';
import type { Command } from 'commander';
import { AppError } from '../../errors/app-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { stopUntilContinued } from '../../process/suspend.ts';
import type { Place } from '../../tui/data/place.ts';
import type { Terminal } from '../../tui/terminal/screen-mode.ts';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import type { RegisterCommand } from '../register-command.ts';
import { findTarget, type TargetFlags } from '../remote/find-worker.ts';
import { onSignals } from '../signals.ts';
import { wantsColor } from '../terminal/tones.ts';
import { boardTerminal, commonOptions } from './board-terminal.ts';
import { browse } from './browse.ts';
import { loadBoard } from './load-board.ts';
import { locateWorker } from './locate.ts';
import { parseInterval, readSettings } from './settings.ts';

interface TuiFlags extends TargetFlags {
  readonly interval?: number;
  readonly once?: boolean;
  readonly raw?: boolean;
}

const HELP = `${examplesText('aiops tui', 'aiops tui --url http://127.0.0.1:4000', 'aiops tui --once')}
Keys: ↑↓ or j k select, enter opens the issue with its transcript and diff, s stop, r retry, a answer, m message,
p pause or resume, / filter, o browse, ? help, esc back, q quit, ctrl-z suspend. Quitting leaves the worker as it is.

Without a terminal (a pipe, a file, TERM=dumb) one board is printed as text, as with --once. NO_COLOR turns colours off.

The worker is the one that runs for --workflow, $AIOPS_WORKFLOW_PATH or ./WORKFLOW.md. --url or $AIOPS_DASHBOARD_URL name
another, a Go worker too; its token is read from $AIOPS_STATE_API_TOKEN or the file $AIOPS_STATE_API_TOKEN_FILE names.
While the worker is away the board waits for it.

Exit codes: 0 done, 2 wrong usage, 3 no worker answers (--once), 130 or 143 after a signal.`;

/** `aiops tui`: the terminal dashboard of a running worker. */
export const registerTuiCommand: RegisterCommand = (program, io, finish) => {
  program
    .command('tui')
    .description('watch and steer a worker on a live board in the terminal')
    .option('--url <address>', 'where the worker listens')
    .option(
      '--interval <time>',
      'between refreshes, and between questions while the worker has no stream (default: observability.refresh_ms, 1s)',
      parseInterval,
    )
    .option('--once', 'print the board once, as text')
    .option('--raw', 'stay on the normal screen of the terminal')
    .addHelpText('after', HELP)
    .action(async (_flags: object, command: Command) => {
      const flags = command.optsWithGlobals<TuiFlags>();
      const terminal = flags.once === true ? null : boardTerminal(io);
      finish(await (terminal === null ? printBoard(flags, io) : showBoard(flags, terminal, io)));
    });
};

async function printBoard(flags: TuiFlags, io: CliIo): Promise<number> {
  const { printedBoard } = await import('../../tui/print-board.ts');
  const place = await locateWorker(flags, io);
  const { clock } = commonOptions(io);
  const screen = io.outputColumns?.() ?? null;
  const columns = screen ?? (Number(io.environment['COLUMNS']) || 120);
  const color = wantsColor(io.environment, screen !== null);
  io.stdout(await printedBoard(place, clock, columns, color));
  return EXIT.ok;
}

/** What can never be is told before the screen is taken; a worker that does not run is waited for. */
async function refuseNonsense(flags: TuiFlags, io: CliIo): Promise<void> {
  try {
    await findTarget(flags, io);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'worker_unreachable' || error.cause !== undefined)
      throw error;
  }
}

async function showBoard(flags: TuiFlags, terminal: Terminal, io: CliIo): Promise<number> {
  await refuseNonsense(flags, io);
  let place: Place | null = null;
  const settings = await readSettings(flags, io);
  const openBoard = await loadBoard();
  const locate = async (): Promise<Place> => {
    place = await locateWorker(flags, io);
    return place;
  };
  const board = openBoard({
    ...commonOptions(io),
    ...settings,
    ...(flags.interval === undefined ? {} : { refreshMs: flags.interval }),
    terminal,
    locate,
    alternateScreen: flags.raw !== true,
    quits: 'quit; the worker goes on',
    browse: async (url) => browse(url, place ?? (await locate()), io),
    suspend: () => stopUntilContinued(onStop),
  });
  const onStop = (): void => board.suspend();
  const onContinue = (): void => board.wake();
  process.on('SIGTSTP', onStop);
  process.on('SIGCONT', onContinue);
  let signal: NodeJS.Signals | null = null;
  const forget = onSignals(
    (received) => {
      signal = received;
      board.close();
    },
    () => process.exit(EXIT.interrupted),
  );
  const onFault = (): void => board.close();
  process.on('uncaughtExceptionMonitor', onFault);
  try {
    const end = await board.ended;
    if (signal !== null) return 128 + constants.signals[signal as NodeJS.Signals];
    return end === 'interrupt' ? EXIT.interrupted : EXIT.ok;
  } finally {
    forget();
    process.off('uncaughtExceptionMonitor', onFault);
    process.off('SIGTSTP', onStop);
    process.off('SIGCONT', onContinue);
  }
}
