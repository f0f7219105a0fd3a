import type { StateSnapshot } from '../../contract/state.ts';
import type { Clock } from '../../domain/clock.ts';
import type { LogStream } from '../../observability/sink.ts';
import { formatTold, type LineStyle } from './format-told.ts';
import { tellLogLine, type Verbosity } from './log-lines.ts';
import { NOTHING_TOLD, narrate, type ToldLine } from './narrate.ts';
import type { NamedWorker } from './next-command.ts';
import { formatClock } from './times.ts';

export interface TerminalOptions {
  readonly clock: Clock;
  readonly color: boolean;
  /** Of the terminal as it is now; null when nobody knows. */
  columns(): number | null;
  readonly verbosity: Verbosity;
  /** How the worker was named, for the commands that are told. */
  readonly worker?: NamedWorker;
  write(text: string): void;
}

/** What a worker needs to be for a terminal to follow it. */
export interface Followed {
  snapshot(): StateSnapshot;
  observe(onChange: () => void): () => void;
  /** False while what it sees is about to change anyway; it is then looked at a moment later. */
  settled(): boolean;
}

/** Told at most this often, however fast things happen. */
const LOOK_EVERY_MS = 150;
const ACTIVITY_MS = 2_000;

/** A worker's terminal: what happens, one line each, for a person who watches. */
export class WorkerTerminal {
  readonly #options: TerminalOptions;
  /** Where the logger writes; only what a person should see goes on from here. */
  readonly logStream: LogStream;
  #told = NOTHING_TOLD;
  #pending: (() => void) | null = null;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.logStream = {
      write: (line: string) => {
        const told = tellLogLine(line, options.verbosity);
        if (told !== null) this.tell(told);
      },
    };
  }

  tell(line: ToldLine): void {
    const { clock, color, columns, verbosity, write } = this.#options;
    const isUrgent = line.tone === 'bad' || line.tone === 'attention';
    if (!isUrgent && (verbosity === 'warn' || verbosity === 'error')) return;
    const style: LineStyle = { color, columns: columns() };
    write(formatTold(line, formatClock(clock.now(), { utc: false }), style));
  }

  /** Goes to the next line, as the terminal shows the keys of an interrupt where it stands. */
  breakLine(): void {
    this.#options.write('\n');
  }

  /** Tells what the worker does from now on; the returned function tells the rest and ends it. */
  follow(worker: Followed): () => void {
    const look = (): void => {
      this.#pending = null;
      if (!worker.settled()) {
        schedule(LOOK_EVERY_MS);
        return;
      }
      const narration = narrate(worker.snapshot(), this.#told, {
        activityMs: ACTIVITY_MS,
        worker: this.#options.worker ?? {},
      });
      this.#told = narration.told;
      for (const line of narration.lines) this.tell(line);
      if (narration.more) schedule(ACTIVITY_MS / 2);
    };
    const schedule = (ms: number): void => {
      this.#pending ??= this.#options.clock.setTimer(ms, look);
    };
    const forget = worker.observe(() => schedule(LOOK_EVERY_MS));
    look();
    return () => {
      forget();
      this.#pending?.();
      look();
      this.#pending?.();
      this.#pending = null;
    };
  }
}
