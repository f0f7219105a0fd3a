import { statSync, truncateSync } from 'node:fs';
import { messageOf } from '../../errors/app-error.ts';

/** SQLite makes it of such pieces, and never shorter again while the journal is open. */
const PIECE_BYTES = 32_768;

/**
 * SQLite maps a file beside the journal (`-shm`) that it shares with readers, and the system ends a process that touches a mapped
 * file where somebody has cut it off. So it is looked at before each use. What is cut off is put back as zeros, which SQLite takes
 * for "make it anew from the log".
 */
export class SharedMemory {
  readonly #path: string;
  #size = PIECE_BYTES;

  constructor(journalPath: string) {
    this.#path = `${journalPath}-shm`;
  }

  /** True when it was mended. Throws when it may not be touched and cannot be mended. */
  mend(): boolean {
    const size = this.#read();
    if (size === null || size >= this.#size) {
      this.#size = size ?? this.#size;
      return false;
    }
    try {
      truncateSync(this.#path, this.#size);
    } catch (error) {
      throw new Error(`what SQLite keeps beside it was cut off: ${messageOf(error)}`, { cause: error });
    }
    return true;
  }

  /** After a use, in which it may have grown. */
  note(): void {
    this.#size = Math.max(this.#size, this.#read() ?? 0);
  }

  #read(): number | null {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? null;
  }
}
