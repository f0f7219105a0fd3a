import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/read/environment.ts';

/** A command's way to the outside world, so that commands can be run in a test without a process. */
export interface CliIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** All of standard input. */
  stdin(): Promise<string>;
  readonly environment: Environment;
  readonly cwd: string;
  /** True when standard error is a terminal: logs are then made for reading. */
  readonly interactive: boolean;
  /** The width of that terminal as it is now; absent or null when nobody knows. */
  columns?(): number | null;
  /** The width of the terminal that shows standard output; absent or null when it goes elsewhere. */
  outputColumns?(): number | null;
  /** The height of that terminal. */
  outputRows?(): number | null;
  /** Where a person can be asked; absent or null when input or output is no terminal. */
  readonly terminal?: { readonly input: Readable; readonly output: Writable } | null;
}

export function processIo(): CliIo {
  process.stdout.on('error', leaveOnClosedPipe);
  process.stderr.on('error', () => {});
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    async stdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    environment: process.env,
    cwd: process.cwd(),
    interactive: process.stderr.isTTY === true,
    columns: () => process.stderr.columns ?? null,
    outputColumns: () => (process.stdout.isTTY === true ? process.stdout.columns || null : null),
    outputRows: () => (process.stdout.isTTY === true ? process.stdout.rows || null : null),
    terminal:
      process.stdin.isTTY === true && process.stdout.isTTY === true
        ? { input: process.stdin, output: process.stdout }
        : null,
  };
}

/**
 * `aiops history | head`: a reader that has seen enough is no error. A terminal that was closed is none either, and says so by a
 * signal, which lets a worker end its agents before it leaves.
 */
function leaveOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EIO') return;
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
