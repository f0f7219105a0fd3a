import type { ReadStream, WriteStream } from 'node:tty';

/** Where the board is shown and the keys come from. */
export interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';
const ENTER = `\u001B[?1049h${HIDE_CURSOR}`;
const LEAVE = `${SHOW_CURSOR}\u001B[?1049l`;
/** Asks the terminal to tell what is pasted from what is typed. */
const TELL_PASTES = '\u001B[?2004h';
const NO_PASTES = '\u001B[?2004l';
const CLEAR = '\u001B[H\u001B[2J';
const RESET_COLOURS = '\u001B[0m';

/** The terminal while the board has it. It is given back as it was, however the program ends. */
export class ScreenMode {
  readonly #terminal: Terminal;
  readonly #alternate: boolean;
  #entered = false;
  readonly #onExit = (): void => this.leave();

  /** Without the alternate screen the board stays on the terminal when it ends. */
  constructor(terminal: Terminal, alternate: boolean) {
    this.#terminal = terminal;
    this.#alternate = alternate;
  }

  enter(): void {
    this.#entered = true;
    process.on('exit', this.#onExit);
    // On the normal screen, what is there scrolls away instead of being written over.
    const { rows = 24 } = this.#terminal.output;
    this.#write(`${this.#alternate ? ENTER : '\n'.repeat(rows)}${CLEAR}${TELL_PASTES}`);
  }

  /** Takes the terminal back from whoever had it meanwhile: shells set its modes as they like them. */
  enterAgain(): void {
    if (this.#entered) this.leave();
    this.enter();
    if (this.#terminal.input.isTTY) this.#terminal.input.setRawMode(true);
  }

  clear(): void {
    if (this.#entered) this.#write(CLEAR);
  }

  leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    process.off('exit', this.#onExit);
    if (this.#terminal.input.isTTY) this.#terminal.input.setRawMode(false);
    const { rows = 24 } = this.#terminal.output;
    this.#write(`${RESET_COLOURS}${NO_PASTES}${this.#alternate ? LEAVE : `\u001B[${rows};1H\n`}`);
  }

  #write(text: string): void {
    const { output } = this.#terminal;
    if (!output.destroyed && output.writable) output.write(text);
  }
}
