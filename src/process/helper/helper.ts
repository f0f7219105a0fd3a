import { enterRunCgroup as enterRunCgroupHere } from '../cgroup/run-cgroup.ts';
import type { CommandInput, CommandOptions, CommandResult } from '../children/child.ts';
import { type CommandLimits, runCommand as runCommandHere } from '../children/run-command.ts';
import { deleteTree as deleteTreeHere } from '../files/delete-tree.ts';
import { findTree as findTreeHere } from '../tree/descendants.ts';
import { HELPER_ID_VARIABLE } from './abandoned-command.ts';
import { type CallerPort, HelperProcess } from './helper-process.ts';
import type { SentCall, TaskName, Tasks } from './messages.ts';

/** An idle helper is memory that nobody uses; the next command starts another. */
const IDLE_MS = 30_000;
/** More than this is copied faster than it is sent. */
const MAX_SENT_INPUT_BYTES = 1024 * 1024;
/** A helper that cannot be started is not tried for ever. */
const MAX_FAILED_STARTS = 3;

let wanted = false;
let abandoned = false;
let failedStarts = 0;
let current: HelperProcess | null = null;
let idleTimer: NodeJS.Timeout | null = null;
let mark: Readonly<Record<string, string>> = {};

/** Called in a helper: what is started here by itself can be found by its id. */
export function markCommands(helperId: string): void {
  mark = { [HELPER_ID_VARIABLE]: helperId };
}

export interface EnabledHelper {
  /** Lets the helper go when it has done what it was asked. */
  close(): Promise<void>;
  /** For a process that leaves at once: ends the helper and its git; no command is started any more, nor does one end. */
  abandon(): Promise<void>;
}

/**
 * From now on a helper process starts the commands of this one, when it is there: until it has started, and whenever it is
 * gone, everything happens here, with the same result.
 */
export function enableHelper(): EnabledHelper {
  wanted = true;
  return {
    async close() {
      wanted = false;
      await current?.close();
    },
    async abandon() {
      wanted = false;
      abandoned = true;
      const helper = current;
      helper?.kill();
      await helper?.endCommands();
    },
  };
}

/** As `runCommand` of `children/`. */
export async function runCommand(
  options: CommandOptions,
  limits: Partial<CommandLimits> = {},
): Promise<CommandResult> {
  if (abandoned) return new Promise(() => {});
  const { input } = options;
  const canSend = !isStream(input) && (input?.length ?? 0) <= MAX_SENT_INPUT_BYTES;
  const helper = canSend ? readyHelper() : null;
  if (helper === null || options.signal?.aborted)
    return runCommandHere({ ...options, env: { ...options.env, ...mark } }, limits);
  return helper.run(options, limits);
}

function isStream(input: CommandInput | undefined): input is AsyncIterable<Uint8Array> {
  return typeof input === 'object' && Symbol.asyncIterator in input;
}

export const findTree: Tasks['findTree'] = (tree, known) =>
  perform('findTree', [tree, known], () => findTreeHere(tree, known));

export const enterRunCgroup: Tasks['enterRunCgroup'] = (folder, pid) =>
  perform('enterRunCgroup', [folder, pid], async () => enterRunCgroupHere(folder, pid));

/** As `deleteTree` of `files/`. */
export const deleteTree: Tasks['deleteTree'] = (path) =>
  perform('deleteTree', [path], () => deleteTreeHere(path));

/** By the helper, and here when it is not there or ended meanwhile: all of these can be done twice. */
async function perform<T>(task: TaskName, args: readonly unknown[], here: () => Promise<T>): Promise<T> {
  const helper = readyHelper();
  if (helper === null) return here();
  try {
    // What arrives is what the same function gave in our own program.
    return (await helper.perform(task, args)) as T;
  } catch (error) {
    if (helper.isReady) throw error;
    return here();
  }
}

/**
 * Has a service of the helper called; `here` does the same when the helper is not there, or ended meanwhile: everything that goes this way
 * can be done twice.
 */
export async function callInHelper<T>(
  call: SentCall,
  port: CallerPort,
  signal: AbortSignal | undefined,
  here: () => Promise<T>,
): Promise<T> {
  const helper = signal?.aborted ? null : readyHelper();
  if (helper === null) return here();
  try {
    // What arrives is what the same function gave in our own program.
    return (await helper.call(call, port, signal)) as T;
  } catch (error) {
    if (helper.isReady || signal?.aborted) throw error;
    if (abandoned) return new Promise(() => {});
    await helper.endCommands();
    return here();
  }
}

function readyHelper(): HelperProcess | null {
  if (!wanted || failedStarts >= MAX_FAILED_STARTS) return null;
  current ??= new HelperProcess((wasReady) => {
    current = null;
    failedStarts = wasReady ? 0 : failedStarts + 1;
  });
  if (idleTimer === null) idleTimer = setTimeout(endIfIdle, IDLE_MS).unref();
  else idleTimer.refresh();
  return current.isReady ? current : null;
}

function endIfIdle(): void {
  if (current !== null && current.pending > 0) idleTimer?.refresh();
  else void current?.close();
}
