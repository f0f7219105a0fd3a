import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import type { ChildExit } from './child.ts';
import { settledWithin } from './settled-within.ts';

/** How long output is still read after the process ended, when someone else holds the pipe open. */
export interface DrainLimits {
  /** Silence after which nothing more is expected. */
  readonly idleMs: number;
  /** The end, even if output keeps coming. */
  readonly totalMs: number;
}

export const DEFAULT_DRAIN: DrainLimits = { idleMs: 100, totalMs: 2_000 };

/** Settles on the process's own exit; never waits for its pipes. */
export function whenExited(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Counts what a stream delivers and knows when it ended. */
export interface WatchedStream {
  readonly ended: Promise<void>;
  received(): number;
  destroy(): void;
}

/** Feeds a pipe's bytes to `onData`. A read error ends the stream like an end of file. */
export function watchStream(stream: Readable, onData: (chunk: Buffer) => void): WatchedStream {
  let bytes = 0;
  const ended = new Promise<void>((resolve) => {
    stream.once('end', resolve).once('close', resolve).on('error', resolve);
  });
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    onData(chunk);
  });
  return { ended, received: () => bytes, destroy: () => void stream.destroy() };
}

/**
 * Reads what an ended process left in its pipes, then closes them. Pipes that a descendant holds open are given up
 * after a silence, or after `totalMs` when it keeps writing.
 */
export async function drainAfterExit(streams: readonly WatchedStream[], limits: DrainLimits): Promise<void> {
  const deadline = performance.now() + limits.totalMs;
  let allEnded = false;
  const ended = Promise.all(streams.map((stream) => stream.ended)).then(() => {
    allEnded = true;
  });
  const received = (): number => streams.reduce((sum, stream) => sum + stream.received(), 0);
  for (let before = -1; !allEnded && before !== received() && performance.now() < deadline; ) {
    before = received();
    await settledWithin(ended, limits.idleMs);
    // A late timer fires before waiting input is read; this lets the input come first.
    await immediate();
  }
  for (const stream of streams) stream.destroy();
}
