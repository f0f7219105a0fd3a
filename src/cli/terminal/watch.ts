import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../errors/app-error.ts';
import { reportError } from '../report-error.ts';

const ENTER = '\u001B[?1049h\u001B[?25l';
const LEAVE = '\u001B[?25h\u001B[?1049l';
const HOME = '\u001B[H';
const CLEAR_LINE = '\u001B[K';
const CLEAR_BELOW = '\u001B[J';

export interface WatchIo {
  stdout(text: string): void;
  outputColumns?(): number | null;
  outputRows?(): number | null;
}

export interface WatchOptions {
  readonly io: WatchIo;
  readonly everyMs: number;
  /** Aborted when the watching ends. */
  readonly signal: AbortSignal;
  /** One complete text; an error a user can meet is shown, and tried again. That of the first look ends it. */
  draw(): Promise<string>;
}

/**
 * Draws again and again until the signal. On a terminal the screen is redrawn in place and given back at the end, with the
 * last text left on it; elsewhere a text is printed whenever it differs from the one before.
 */
export async function watch(options: WatchOptions): Promise<void> {
  const { io, signal } = options;
  let shown = await options.draw();
  const isScreen = (io.outputColumns?.() ?? null) !== null;
  if (isScreen) io.stdout(ENTER);
  else io.stdout(shown);
  try {
    for (;;) {
      if (isScreen) io.stdout(frameOf(shown, io.outputRows?.() ?? null));
      await delay(options.everyMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const next = await drawAgain(options, shown);
      if (signal.aborted) return;
      if (!isScreen && next !== shown) io.stdout(`\n${next}`);
      shown = next;
    }
  } finally {
    if (isScreen) io.stdout(`${LEAVE}${shown}`);
  }
}

async function drawAgain({ draw, signal }: WatchOptions, shown: string): Promise<string> {
  const stopped = new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve(shown), { once: true });
  });
  try {
    return await Promise.race([draw(), stopped]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    let told = '';
    reportError(error, (text) => {
      told = text;
    });
    return told;
  }
}

/** As many lines as the screen has; what does not fit is counted. */
function frameOf(text: string, rows: number | null): string {
  const lines = text.trimEnd().split('\n');
  const room = rows === null ? lines.length : Math.max(1, rows - 1);
  const fitting = lines.length <= room ? lines : lines.slice(0, room - 1);
  const rest = lines.length - fitting.length;
  const all = rest === 0 ? fitting : [...fitting, `… ${rest} more lines`];
  return `${HOME}${all.map((line) => `${line}${CLEAR_LINE}\n`).join('')}${CLEAR_BELOW}`;
}
