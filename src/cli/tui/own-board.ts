import type { Place } from '../../tui/data/place.ts';
import type { Board, BoardOptions } from '../../tui/terminal/board.ts';
import type { Terminal } from '../../tui/terminal/screen-mode.ts';
import type { CliIo } from '../io.ts';
import { commonOptions } from './board-terminal.ts';
import { browse } from './browse.ts';
import { loadBoard } from './load-board.ts';
import type { BoardSettings } from './settings.ts';

/** Lines of the log that are kept for the pane. */
const KEPT_LINES = 200;
/** Columns that the edge of the board takes. */
const PANE_EDGE = 2;

export interface OwnBoardOptions {
  readonly settings: BoardSettings;
  /** What quitting means. */
  readonly quits: string;
  locate(): Promise<Place>;
  /** See `BoardOptions`. */
  notice?(): string | null;
}

/**
 * A board in the terminal of the very program it is about. While it is up, what the program would print is kept for a pane
 * of the board; before and after, it is printed.
 */
export class OwnBoard {
  readonly #io: CliIo;
  readonly #terminal: Terminal;
  readonly #open: (options: BoardOptions) => Board;
  readonly #lines: string[] = [];
  #board: Board | null = null;

  private constructor(io: CliIo, terminal: Terminal, open: (options: BoardOptions) => Board) {
    this.#io = io;
    this.#terminal = terminal;
    this.#open = open;
  }

  static async load(io: CliIo, terminal: Terminal): Promise<OwnBoard> {
    return new OwnBoard(io, terminal, await loadBoard());
  }

  /** The width of the pane. */
  get columns(): number {
    return Math.max(1, this.#terminal.output.columns - PANE_EDGE);
  }

  /** In place of writing to the terminal. */
  readonly write = (text: string): void => {
    if (this.#board === null) {
      this.#io.stderr(text);
      return;
    }
    this.#lines.push(...text.split('\n').filter((line) => line.trim() !== ''));
    this.#lines.splice(0, this.#lines.length - KEPT_LINES);
    this.#board.refresh();
  };

  /** Shows the board; `onQuit` hears of whoever quits. A board that cannot go on gives way to the lines it kept. */
  open(options: OwnBoardOptions, onQuit: () => void): void {
    let place: Place | null = null;
    const board = this.#open({
      ...commonOptions(this.#io),
      ...options.settings,
      terminal: this.#terminal,
      alternateScreen: true,
      quits: options.quits,
      async locate() {
        place = await options.locate();
        return place;
      },
      browse: async (url) => browse(url, place ?? (await options.locate()), this.#io),
      log: () => this.#lines.map(withoutColours),
      notice: () => options.notice?.() ?? null,
    });
    this.#board = board;
    process.on('uncaughtExceptionMonitor', this.#giveWay);
    board.ended.then(
      (end) => {
        this.close();
        if (end !== 'closed') onQuit();
      },
      (error: unknown) => {
        this.#giveWay();
        this.#io.stderr(
          `aiops: the board ended: ${error instanceof Error ? error.message : String(error)}\n`,
        );
      },
    );
  }

  refresh(): void {
    this.#board?.refresh();
  }

  /** Gives the terminal back. */
  close(): void {
    process.off('uncaughtExceptionMonitor', this.#giveWay);
    const board = this.#board;
    this.#board = null;
    board?.close();
  }

  readonly #giveWay = (): void => {
    this.close();
    for (const line of this.#lines.splice(0)) this.#io.stderr(`${line}\n`);
  };
}

/** The board has colours of its own. */
function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours that are taken out.
  return text.replace(/\u001B\[[\d;]*m/g, '');
}
