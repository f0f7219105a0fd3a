import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../../domain/clock.ts';
import { hasErrno, messageOf } from '../../errors/app-error.ts';
import { createByteBuffer, decodeCut } from '../lines/byte-buffer.ts';
import { createLineFramer } from '../lines/line-framer.ts';
import { readProcessRow } from '../table/process-table.ts';
import { COMMAND_ID_VARIABLE, RUN_ID_VARIABLE } from '../tree/descendants.ts';
import type { ChildExit, CommandInput, CommandOptions, CommandResult, TerminateGrace } from './child.ts';
import { DEFAULT_DRAIN, type DrainLimits, drainAfterExit, watchStream, whenExited } from './exit-watch.ts';
import { terminateTree } from './terminate.ts';
import { findDirectoryProblem } from './working-directory.ts';

const DEFAULT_MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_ERROR_LINE_BYTES = 8 * 1024;

export interface CommandLimits {
  readonly grace: TerminateGrace;
  readonly drain: DrainLimits;
  /** Marks the command's processes; a random one unless given. */
  readonly commandId?: string;
}

const DEFAULT_LIMITS: CommandLimits = {
  // git and others remove their lock files on SIGTERM; they get this long for it.
  grace: { inputEndMs: 0, termMs: 2_000 },
  drain: DEFAULT_DRAIN,
};

/**
 * Runs a command to its end in a process group of its own, with stdin closed or `input`. On a timeout or an abort the
 * command and every descendant are ended first. Never rejects, except for a descendant that outlives SIGKILL.
 * A process the command left in the background on purpose, after a normal exit, is not touched.
 */
export async function runCommand(
  options: CommandOptions,
  limits: Partial<CommandLimits> = {},
): Promise<CommandResult> {
  const { grace, drain, commandId = randomUUID() } = { ...DEFAULT_LIMITS, ...limits };
  const started = performance.now();
  const result = (part: Partial<CommandResult>): CommandResult => ({
    outcome: 'exited',
    code: null,
    signal: null,
    stdout: '',
    stderr: '',
    truncated: false,
    stdoutTruncated: false,
    spawnError: null,
    ...part,
    durationMs: Math.round(performance.now() - started),
  });
  if (options.signal?.aborted) return result({ outcome: 'aborted' });
  let child: StartedCommand;
  try {
    child = await startCommand(options, commandId);
  } catch (error) {
    return result({ outcome: 'spawn_failed', spawnError: await describeStartError(options, error) });
  }
  const output = collectOutput(child.process, options);
  feedInput(child.process.stdin, options.input);
  feedInput(secretPipe(child.process), options.secretInput);
  const stopped = await waitForEnd(child, options);
  if (stopped !== null) await endTree(child, commandId, grace);
  const exit = await child.exit;
  await output.drain(drain);
  return result({ ...exit, ...output.read(), outcome: stopped ?? 'exited' });
}

interface StartedCommand {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly exit: Promise<ChildExit>;
}

function startCommand(options: CommandOptions, commandId: string): Promise<StartedCommand> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: {
        ...options.env,
        ...(options.runId === undefined ? {} : { [RUN_ID_VARIABLE]: options.runId }),
        [COMMAND_ID_VARIABLE]: commandId,
      },
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: [
        options.input === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(options.secretInput === undefined ? [] : (['pipe'] as const)),
      ],
    });
    const exit = whenExited(child);
    child.on('error', reject);
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve({ process: child, pid: child.pid, exit });
    });
  });
}

interface Output {
  drain(limits: DrainLimits): Promise<void>;
  read(): Pick<CommandResult, 'stdout' | 'stderr' | 'truncated' | 'stdoutTruncated'>;
}

function collectOutput(child: ChildProcess, options: CommandOptions): Output {
  const limit = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const kept = { stdout: createByteBuffer(limit), stderr: createByteBuffer(limit) };
  const cut = { stdout: false, stderr: false };
  const decode = (bytes: Buffer): string =>
    options.encoding === 'latin1' ? bytes.toString('latin1') : decodeCut(bytes);
  const progress = createLineFramer({
    maxLineBytes: MAX_ERROR_LINE_BYTES,
    cutOversize: true,
    carriageReturnEnds: true,
    onLine: (line) => options.onErrorLine?.(line),
  });
  const watch = (name: 'stdout' | 'stderr') => {
    const stream = child[name];
    if (stream === null) throw new Error(`the command has no ${name} pipe`);
    return watchStream(stream, (chunk) => {
      if (kept[name].append(chunk) < chunk.length) cut[name] = true;
      if (name === 'stderr' && options.onErrorLine !== undefined) progress.push(chunk);
    });
  };
  const streams = [watch('stdout'), watch('stderr')];
  return {
    async drain(limits) {
      await drainAfterExit(streams, limits);
      progress.end();
    },
    read: () => ({
      stdout: decode(kept.stdout.view()),
      stderr: decodeCut(kept.stderr.view()),
      truncated: cut.stdout || cut.stderr,
      stdoutTruncated: cut.stdout,
    }),
  };
}

/** A command that ends without reading its input is no error: its exit code tells. */
function feedInput(pipe: Writable | null, input: CommandInput | undefined): void {
  if (pipe === null) return;
  pipe.on('error', () => {});
  if (input === undefined || typeof input === 'string' || input instanceof Uint8Array) pipe.end(input);
  else pipeline(Readable.from(input, { objectMode: false }), pipe).catch(() => pipe.destroy());
}

function secretPipe(child: ChildProcess): Writable | null {
  const pipe = child.stdio[3];
  return pipe instanceof Writable ? pipe : null;
}

/** What ended the wait: null for the command's own exit. The first cause counts. */
async function waitForEnd(
  child: StartedCommand,
  { timeoutMs, signal }: CommandOptions,
): Promise<'timed_out' | 'aborted' | null> {
  let cancelTimeout = (): void => {};
  let onAbort = (): void => {};
  const stopped = new Promise<'timed_out' | 'aborted'>((resolve) => {
    if (timeoutMs !== undefined) {
      cancelTimeout = systemClock.setTimer(timeoutMs, () => resolve('timed_out'));
    }
    onAbort = () => resolve('aborted');
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
  try {
    return await Promise.race([child.exit.then(() => null), stopped]);
  } finally {
    cancelTimeout();
    signal?.removeEventListener('abort', onAbort);
  }
}

async function endTree(
  { process: child, pid, exit }: StartedCommand,
  commandId: string,
  grace: TerminateGrace,
): Promise<void> {
  const tree = {
    rootPid: pid,
    rootStart: (await readProcessRow(pid))?.startOrder ?? null,
    variable: { name: COMMAND_ID_VARIABLE, value: commandId },
  };
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await terminateTree({ tree, exited: exit, hasExited, endInput: () => void child.stdin?.destroy() }, grace);
}

async function describeStartError({ command, cwd }: CommandOptions, error: unknown): Promise<string> {
  const problem = await findDirectoryProblem(cwd);
  if (problem !== null) return `the working directory ${cwd} ${problem}`;
  if (hasErrno(error, 'ENOENT')) return `${command} was not found`;
  if (hasErrno(error, 'EACCES')) return `${command} may not be executed`;
  return `${command} could not be started: ${messageOf(error)}`;
}
