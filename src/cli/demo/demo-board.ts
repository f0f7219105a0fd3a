import { AppError } from '../../errors/app-error.ts';
import type { CliIo } from '../io.ts';
import { boardTerminal } from '../tui/board-terminal.ts';
import { locateWorker } from '../tui/locate.ts';
import { OwnBoard } from '../tui/own-board.ts';
import { DEFAULT_SETTINGS } from '../tui/settings.ts';

const DONE = 'The demo is done: everything is as it should be. q leaves the board and prints the summary.';

/** The board of the demo's worker, in the terminal of the demo. */
export class DemoBoard {
  readonly #board: OwnBoard;
  readonly #io: CliIo;
  #isDone = false;
  #leave: () => void = () => {};

  private constructor(board: OwnBoard, io: CliIo) {
    this.#board = board;
    this.#io = io;
  }

  static async load(io: CliIo): Promise<DemoBoard> {
    const terminal = boardTerminal(io);
    if (terminal === null)
      throw new AppError('usage', '--tui needs a terminal', {
        hint: 'Leave it out: the demo tells what happens.',
      });
    // What the demo tells goes to standard output.
    return new DemoBoard(await OwnBoard.load({ ...io, stderr: io.stdout }, terminal), io);
  }

  /** In place of writing to the terminal. */
  readonly write = (text: string): void => this.#board.write(text);

  /** Whoever quits before the demo is done stops it. */
  open(workflow: string, onStop: () => void): void {
    this.#board.open(
      {
        settings: DEFAULT_SETTINGS,
        quits: 'leave; before the demo is done, stop it',
        locate: () =>
          locateWorker({ workflow }, this.#io).catch(() => {
            throw new Error('The worker of the demo is not up yet.');
          }),
        notice: () => (this.#isDone ? DONE : null),
      },
      () => (this.#isDone ? this.#leave() : onStop()),
    );
  }

  close(): void {
    this.#board.close();
    this.#leave();
  }

  /** The demo is done: resolves when somebody has seen enough. */
  async untilLeft(workerEnded: Promise<unknown>): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    this.#isDone = true;
    this.#board.refresh();
    await Promise.race([left, workerEnded]);
    this.close();
  }
}
