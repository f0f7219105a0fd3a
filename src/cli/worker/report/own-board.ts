import type { Config } from '../../../config/config.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { CliIo } from '../../io.ts';
import { boardTerminal } from '../../tui/board-terminal.ts';
import type { OwnBoard } from '../../tui/own-board.ts';
import type { Worker } from '../start/start-worker.ts';

interface BoardFlags {
  readonly tui?: boolean;
  readonly once: boolean;
  readonly dryRun: boolean;
  readonly printConfig: boolean;
  readonly logFormat: string;
}

/** A board beside something that ends by itself, or whose output belongs to another program, was not meant. */
export function refuseBoard(flags: BoardFlags): void {
  const other = flags.once
    ? '--once'
    : flags.dryRun
      ? '--dry-run'
      : flags.printConfig
        ? '--print-config'
        : null;
  if (flags.tui !== true || other === null) return;
  throw new AppError('usage', `--tui and ${other} exclude each other`, { hint: 'Give one of them.' });
}

/**
 * The board for this worker's own terminal, where one is wanted; null where none is. What the workflow asks for is left out
 * where there is no terminal; what the command line asks for is refused there.
 */
export async function loadOwnBoard(flags: BoardFlags, config: Config, io: CliIo): Promise<OwnBoard | null> {
  const wanted = flags.tui ?? config.observability.dashboardEnabled === true;
  if (!wanted || flags.once || flags.dryRun) return null;
  const terminal = boardTerminal(io);
  const why = whyNot(terminal !== null, flags, io);
  if (why === null && terminal !== null) {
    const { OwnBoard } = await import('../../tui/own-board.ts');
    return OwnBoard.load(io, terminal);
  }
  if (flags.tui !== true || why === null) return null;
  throw new AppError('usage', why.message, { hint: why.hint });
}

function whyNot(
  isTerminal: boolean,
  { logFormat }: BoardFlags,
  io: CliIo,
): { readonly message: string; readonly hint: string } | null {
  if (!isTerminal)
    return {
      message: '--tui needs a terminal',
      hint: 'Leave it out here, and run `aiops tui` in a terminal instead.',
    };
  if (logFormat === 'json' && io.interactive)
    return {
      message: '--tui and JSON lines on the same terminal exclude each other',
      hint: 'Leave --log-format out, or send the log to a file: 2>worker.log',
    };
  return null;
}

export function showOwnBoard(
  board: OwnBoard,
  worker: Worker,
  { observability }: Config,
  onQuit: () => void,
): void {
  const { inside } = worker;
  board.open(
    {
      settings: observability,
      quits: 'stop the worker and quit, as Ctrl-C does',
      async locate() {
        const url = inside.url();
        return { ...inside, pageUrl: url === null ? null : `${url}/`, refusal: null };
      },
    },
    onQuit,
  );
}
