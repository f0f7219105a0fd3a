/** How a long-lived child (an agent) is started and spoken to. `spawn.ts` implements it. */
export interface ChildOptions {
  /** Executed directly, never through a shell; pass `bash -c …` explicitly where a shell is meant. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute and existing. */
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Put into the child's environment as AIOPS_RUN_ID, so that every descendant can be found. */
  readonly runId: string;
  /** A complete stdout line without its newline; empty ones are left out. Lines over `maxLineBytes` are reported by `onOversizeLine` instead. */
  onLine(line: string): void;
  onOversizeLine?(bytes: number): void;
  /** A stderr line, cut to a sensible length; never mixed into stdout. */
  onErrorLine?(line: string): void;
  /** Default 10 MiB. */
  readonly maxLineBytes?: number;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  /** Resolves when the line is handed to the pipe; rejects with `port_exit` if the child is gone or the pipe is stuck. */
  writeLine(line: string): Promise<void>;
  endInput(): void;
  /** Settles on the process's exit after its remaining output was read (bounded wait: a grandchild may hold the pipe). */
  readonly exited: Promise<ChildExit>;
  /**
   * The kill ladder: stdin end -> SIGTERM to the group -> SIGKILL to the group and to every descendant that left it
   * (found by AIOPS_RUN_ID). Resolves when none is left. Safe to call twice.
   */
  terminate(grace?: TerminateGrace): Promise<void>;
}

export interface TerminateGrace {
  /** Time after stdin end before SIGTERM. */
  readonly inputEndMs: number;
  /** Time after SIGTERM before SIGKILL. */
  readonly termMs: number;
}

export type CommandInput = string | Uint8Array | AsyncIterable<Uint8Array>;

/** A bounded one-shot command, e.g. git or a hook. */
export interface CommandOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Marks descendants as AIOPS_RUN_ID when set. */
  readonly runId?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Held ready on file descriptor 3, for what may stand in no argument and no variable. At most what a pipe takes at once. */
  readonly secretInput?: string;
  /** Written to stdin. A source that throws ends the input early: the command sees a cut input and decides. */
  readonly input?: CommandInput;
  /** How output becomes text. `latin1` keeps every byte, for names that need not be UTF-8. Default `utf8`. */
  readonly encoding?: 'utf8' | 'latin1';
  /** Per stream; more is dropped and `truncated` set. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Each stderr line as it arrives (progress); carriage returns also end a line. */
  onErrorLine?(line: string): void;
}

/** Never thrown for a non-zero exit; a command that cannot be started is `spawn_failed`. */
export interface CommandResult {
  readonly outcome: 'exited' | 'timed_out' | 'aborted' | 'spawn_failed';
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  /** True when `stdout` is only a beginning of what the command printed. */
  readonly stdoutTruncated: boolean;
  readonly durationMs: number;
  /** The spawn error's text when `spawn_failed`. */
  readonly spawnError: string | null;
}
