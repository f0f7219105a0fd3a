import type { ErrorCode } from '../../errors/codes.ts';
import type { CommandOptions } from '../children/child.ts';
import type { CommandLimits } from '../children/run-command.ts';
import type { ProcessRow } from '../table/process-row.ts';
import type { ProcessTree } from '../tree/descendants.ts';

/** A command as the helper gets it: without what only the worker can do, and with an input that is no stream. */
export interface SentCommand {
  readonly options: Omit<CommandOptions, 'signal' | 'onErrorLine'>;
  readonly limits: Partial<CommandLimits>;
  readonly sendsErrorLines: boolean;
}

/** What else blocks whoever does it: reading the process table, and moving a process into a cgroup. */
export interface Tasks {
  findTree(tree: ProcessTree, known: readonly ProcessRow[]): Promise<ProcessRow[]>;
  enterRunCgroup(folder: string, pid: number): Promise<boolean>;
  deleteTree(path: string): Promise<void>;
}
export type TaskName = keyof Tasks;

/** A call of something that a program put into the helper. */
export interface SentCall {
  readonly service: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type Request =
  | { readonly type: 'call'; readonly id: number; readonly call: SentCall }
  /** What was asked on the way of a call, answered. */
  | { readonly type: 'answer'; readonly askId: number; readonly answer: Answer }
  | { readonly type: 'run'; readonly id: number; readonly command: SentCommand }
  | { readonly type: 'stop'; readonly id: number }
  | { readonly type: 'do'; readonly id: number; readonly task: TaskName; readonly args: readonly unknown[] };

export type Reply =
  | { readonly type: 'ready' }
  | { readonly type: 'error_line'; readonly id: number; readonly line: string }
  /** Something that a call has to say on its way. */
  | { readonly type: 'told'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  /** A question on its way. */
  | {
      readonly type: 'asked';
      readonly id: number;
      readonly askId: number;
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly error: SentError };

export type Answer = { readonly result: unknown } | { readonly error: SentError };

/** An error on its way between processes; `code` is null for one of ours that nobody should meet. */
export interface SentError {
  readonly code: ErrorCode | null;
  /** The system's own code, such as `ENOENT`. */
  readonly errno: string | null;
  readonly message: string;
  readonly hint: string | null;
  readonly context: Readonly<Record<string, unknown>>;
}
