import { type Command, InvalidArgumentError } from 'commander';
import { AppError } from '../errors/app-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { onSignals } from './signals.ts';
import { type WatchIo, watch } from './terminal/watch.ts';

export interface WatchFlags {
  readonly watch?: boolean;
  /** Seconds. */
  readonly interval?: number;
}

export function withWatch(command: Command, defaultSeconds: number): Command {
  return command
    .option('--watch', 'show it again and again until Ctrl-C')
    .option(
      '--interval <seconds>',
      `with --watch: how long to wait in between (default: ${defaultSeconds})`,
      parseSeconds,
    );
}

/** Prints once, or keeps printing with `--watch` until a person ends it. */
export async function printOrWatch(
  { watch: watching = false, interval }: WatchFlags,
  io: WatchIo,
  defaultSeconds: number,
  draw: () => Promise<string>,
): Promise<void> {
  if (!watching) {
    if (interval !== undefined)
      throw new AppError('usage', '--interval goes with --watch', { hint: 'Add --watch, or leave it out.' });
    io.stdout(await draw());
    return;
  }
  const stop = new AbortController();
  const forget = onSignals(
    () => stop.abort(),
    () => process.exit(EXIT.interrupted),
  );
  try {
    await watch({ io, everyMs: (interval ?? defaultSeconds) * 1000, signal: stop.signal, draw });
  } finally {
    forget();
  }
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds < 0.2 || seconds > 86_400)
    throw new InvalidArgumentError('give seconds, from 0.2 to 86400.');
  return seconds;
}
