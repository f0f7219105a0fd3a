import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LogStream } from './sink.ts';

export interface RotatingFileOptions {
  readonly path: string;
  /** A file that would get larger is put aside before the next line. */
  readonly maxBytes: number;
  /** Files there are at most, the one that is written to included; the oldest is removed. */
  readonly files: number;
}

/** Only its owner may read a log: what agents print is in it. */
const MODE = 0o600;

/**
 * A log file that is bounded: `worker.log` is written to, `worker.log.1` is the one before it, and so on. Lines are never
 * split between files. A file that somebody moved or removed is begun anew. Writing throws when the disk does.
 */
export class RotatingFile implements LogStream {
  readonly #options: RotatingFileOptions;
  #descriptor: number | null = null;
  #inode = 0n;
  #size = 0;

  get path(): string {
    return this.#options.path;
  }

  /** Opens the file at once, so that a path that cannot be written is known before it matters. */
  constructor(options: RotatingFileOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true });
    this.#open();
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (!this.#isInPlace()) this.#reopen();
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxBytes) this.#rotate();
    if (this.#descriptor === null) this.#open();
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.#descriptor ?? 0, bytes, written, bytes.length - written);
    this.#size += bytes.length;
  }

  close(): void {
    if (this.#descriptor === null) return;
    closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #open(): number {
    const descriptor = openSync(this.#options.path, 'a', MODE);
    const facts = fstatSync(descriptor, { bigint: true });
    this.#descriptor = descriptor;
    this.#inode = facts.ino;
    this.#size = Number(facts.size);
    return descriptor;
  }

  #reopen(): void {
    this.close();
    this.#open();
  }

  #isInPlace(): boolean {
    const facts = statSync(this.#options.path, { bigint: true, throwIfNoEntry: false });
    return this.#descriptor !== null && facts?.ino === this.#inode;
  }

  #rotate(): void {
    const { path, files } = this.#options;
    this.close();
    if (files === 1) rmSync(path, { force: true });
    else {
      rmSync(`${path}.${files - 1}`, { force: true });
      for (let number = files - 1; number > 0; number -= 1)
        moveIfThere(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
    }
    this.#open();
  }
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
