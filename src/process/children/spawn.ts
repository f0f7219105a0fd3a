import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { AppError, hasErrno, messageOf } from '../../errors/app-error.ts';
import { removeCgroup } from '../cgroup/cgroup-folder.ts';
import { enterRunCgroup, makeRunCgroup } from '../cgroup/run-cgroup.ts';
import { createLineFramer, type LineFramer } from '../lines/line-framer.ts';
import type { ProcessRow } from '../table/process-row.ts';
import { readProcessRow } from '../table/process-table.ts';
import { findTree, type ProcessTree, RUN_ID_VARIABLE } from '../tree/descendants.ts';
import type { Child, ChildExit, ChildOptions, TerminateGrace } from './child.ts';
import { createChildInput } from './child-input.ts';
import { DEFAULT_DRAIN, type DrainLimits, drainAfterExit, watchStream, whenExited } from './exit-watch.ts';
import { RUN_OWNER_VARIABLE } from './orphans.ts';
import { DEFAULT_GRACE, terminateTree } from './terminate.ts';
import { findDirectoryProblem } from './working-directory.ts';

const DEFAULT_MAX_LINE_BYTES = 10 * 1024 * 1024;
const MAX_ERROR_LINE_BYTES = 8 * 1024;

export interface SpawnLimits {
  readonly drain: DrainLimits;
  /** How long one written line may wait for the child to read. */
  readonly writeTimeoutMs: number;
  /** Unread input after which further lines are refused. */
  readonly maxQueuedInputBytes: number;
  /** Who looks for processes and moves them, which blocks: this process unless another does it. */
  findTree(tree: ProcessTree, known: readonly ProcessRow[]): Promise<ProcessRow[]>;
  enterRunCgroup(folder: string, pid: number): Promise<boolean>;
}

const DEFAULT_LIMITS: SpawnLimits = {
  drain: DEFAULT_DRAIN,
  writeTimeoutMs: 30_000,
  maxQueuedInputBytes: 64 * 1024 * 1024,
  findTree,
  enterRunCgroup: async (folder, pid) => enterRunCgroup(folder, pid),
};

/**
 * Starts a child in a process group of its own. Rejects with `invalid_workspace_cwd`, `agent_not_found`, or `agent_failed`
 * when the system refuses for another reason. Its output is read as it comes and never queued, so memory stays bounded
 * whatever it prints; the callbacks must not throw.
 */
export async function spawnChild(options: ChildOptions, given: Partial<SpawnLimits> = {}): Promise<Child> {
  const limits = { ...DEFAULT_LIMITS, ...given };
  await requireDirectory(options.cwd);
  const started = await startProcess(options, limits).catch(async (error: unknown) => {
    await requireDirectory(options.cwd);
    throw startError(options.command, error);
  });
  return superviseChild(started, options, limits);
}

interface StartedProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly exit: Promise<ChildExit>;
  /** Null where the system allows none, and for what is no child of a worker. */
  readonly cgroup: string | null;
}

async function startProcess(options: ChildOptions, limits: SpawnLimits): Promise<StartedProcess> {
  const owner = options.env[RUN_OWNER_VARIABLE];
  const made = owner === undefined ? null : makeRunCgroup(owner);
  let entered = false;
  try {
    const started = await launch(options);
    entered = made !== null && (await limits.enterRunCgroup(made, started.pid));
    return { ...started, cgroup: entered ? made : null };
  } finally {
    if (made !== null && !entered) await removeCgroup(made);
  }
}

function launch(options: ChildOptions): Promise<Omit<StartedProcess, 'cgroup'>> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: { ...options.env, [RUN_ID_VARIABLE]: options.runId },
      detached: true,
      shell: false,
      windowsHide: true,
    });
    const exit = whenExited(child);
    child.on('error', reject);
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve({ child, pid: child.pid, exit });
    });
  });
}

interface OutputFramers {
  readonly lines: LineFramer;
  readonly errorLines: LineFramer;
}

/**
 * Hands on what the child prints. A handler that throws is a fault of ours or of what was printed; either way it ends this
 * child and the run it belongs to, with a last line that says why, and nothing else.
 */
function frameOutput(options: ChildOptions, endChild: () => void): OutputFramers {
  const { onOversizeLine, onErrorLine } = options;
  let faulted = false;
  const guard = (handle: () => void): void => {
    if (faulted) return;
    try {
      handle();
    } catch (error) {
      faulted = true;
      endChild();
      try {
        onErrorLine?.call(options, `what the agent printed could not be handled: ${messageOf(error)}`);
      } catch {
        // The child is being ended; there is nobody left to tell.
      }
    }
  };
  const lines = createLineFramer({
    maxLineBytes: options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES,
    skipEmpty: true,
    onLine: (line) => guard(() => options.onLine(line)),
    onOversizeLine: (bytes) => guard(() => onOversizeLine?.call(options, bytes)),
  });
  const errorLines = createLineFramer({
    maxLineBytes: MAX_ERROR_LINE_BYTES,
    cutOversize: true,
    onLine: (line) => guard(() => onErrorLine?.call(options, line)),
  });
  return { lines, errorLines };
}

async function superviseChild(
  { child, pid, exit, cgroup }: StartedProcess,
  options: ChildOptions,
  limits: SpawnLimits,
): Promise<Child> {
  const { lines, errorLines } = frameOutput(options, () => child.kill('SIGKILL'));
  const outputs = [watchStream(child.stdout, lines.push), watchStream(child.stderr, errorLines.push)];
  let ended = false;
  const input = createChildInput(child.stdin, options.command, exit, limits);
  const exited = exit.then(async (result) => {
    ended = true;
    await drainAfterExit(outputs, limits.drain);
    lines.end();
    errorLines.end();
    if (cgroup !== null) void removeCgroup(cgroup);
    return result;
  });
  const rootStart = (await readProcessRow(pid))?.startOrder ?? null;
  const tree = { rootPid: pid, rootStart, variable: { name: RUN_ID_VARIABLE, value: options.runId }, cgroup };
  let termination: Promise<void> | null = null;

  return {
    pid,
    writeLine: input.writeLine,
    endInput: input.end,
    exited,
    terminate(grace: TerminateGrace = DEFAULT_GRACE) {
      termination ??= terminateTree(
        { tree, find: limits.findTree, exited: exit, hasExited: () => ended, endInput: input.end },
        grace,
      ).then(async () => {
        await exited;
        if (cgroup !== null) await removeCgroup(cgroup);
      });
      return termination;
    },
  };
}

async function requireDirectory(cwd: string): Promise<void> {
  const problem = await findDirectoryProblem(cwd);
  if (problem === null) return;
  throw new AppError('invalid_workspace_cwd', `The working directory ${cwd} ${problem}.`, {
    hint: 'Check that workspace.root is reachable and that nothing removed the workspace during the run.',
    context: { cwd },
  });
}

function startError(command: string, cause: unknown): AppError {
  if (hasErrno(cause, 'ENOENT')) {
    return new AppError('agent_not_found', `The executable ${command} was not found.`, {
      hint: `Install ${command}, put its folder on PATH, or write its full path as the runner's command in WORKFLOW.md.`,
      cause,
      context: { command },
    });
  }
  if (hasErrno(cause, 'EACCES')) {
    return new AppError('agent_not_found', `${command} may not be executed.`, {
      hint: `Make it executable (chmod +x) or point the runner's command in WORKFLOW.md to the right file.`,
      cause,
      context: { command },
    });
  }
  return new AppError('agent_failed', `${command} could not be started: ${messageOf(cause)}.`, {
    hint: 'Check the limits on processes, open files and argument length (ulimit -a).',
    cause,
    context: { command },
  });
}
