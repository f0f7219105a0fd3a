import type { HookName, HooksConfig } from '../../config/config.ts';
import type { HookEnded } from '../../domain/run-event.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { CommandResult } from '../../process/children/child.ts';
import { runCommand } from '../../process/helper/helper.ts';
import { stripUrlCredentials } from '../git/repository-url.ts';

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** How long a hook may take to end when it is told to: it may run what an agent wrote, and a stop is waiting. */
const GRACE = { inputEndMs: 0, termMs: 750 };
/** What of a hook's output goes to the log and into an error. */
const SHOWN_CHARACTERS = 2_048;

export interface HookRequest {
  readonly name: HookName;
  readonly hooks: HooksConfig;
  readonly workspacePath: string;
  /** AIOPS_ISSUE_ID and the like; log lines name the issue by them. */
  readonly variables: Readonly<Record<string, string>>;
  /** The allow-listed environment; nothing else of the worker's reaches a hook. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Puts a command into a sandbox; without it hooks have the worker's rights. */
  wrap?(launch: HookLaunch): Promise<HookLaunch>;
  /** Takes known secrets out of output before it is shown anywhere. */
  redact(text: string): string;
  /** Told of every command that ended. */
  report?(ended: HookEnded): void;
}

export interface HookLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  dispose?(): Promise<void>;
}

const WRITTEN_NAMES: Readonly<Record<HookName, string>> = {
  afterCreate: 'after_create',
  beforeRun: 'before_run',
  afterRun: 'after_run',
  beforeRemove: 'before_remove',
};

/**
 * Runs a hook's commands in order, each in the workspace, in a process group of its own and within the hook timeout.
 * The first failure stops the list and throws `hook_failed`; whether that is fatal is the caller's to say. An aborted
 * signal ends the running command and throws the signal's reason. Without commands it does nothing.
 */
export async function runHook(request: HookRequest): Promise<void> {
  const { name, hooks, workspacePath, variables } = request;
  const commands = hooks[name];
  if (commands.length === 0) return;
  const logger = request.logger.with({
    issue_id: variables['AIOPS_ISSUE_ID'],
    issue_identifier: variables['AIOPS_ISSUE_IDENTIFIER'],
    hook: WRITTEN_NAMES[name],
    workspace: workspacePath,
  });
  logger.info('hook started', { commands: commands.length, timeout_ms: hooks.timeoutMs });
  for (const [position, command] of commands.entries()) {
    const result = await runOne(request, command);
    const problem = describeProblem(result, hooks.timeoutMs);
    reportEnd(request, command, result, problem);
    const fields = { command: position + 1, exit_code: result.code, duration_ms: result.durationMs };
    if (problem === null) {
      logger.info('hook command ended', fields);
      continue;
    }
    const output = shownOutput(request, result);
    if (result.outcome === 'aborted') {
      logger.info('hook stopped', fields);
      request.signal.throwIfAborted();
    }
    logger.warn('hook failed', { ...fields, reason: problem, output, truncated: result.truncated });
    throw hookFailure(request, position, command, problem, output);
  }
}

async function runOne(request: HookRequest, command: string): Promise<CommandResult> {
  const { hooks, workspacePath, environment, variables, signal } = request;
  const plain = { command: 'sh', args: ['-c', command], env: { ...environment, ...variables } };
  const launch: HookLaunch = (await request.wrap?.(plain)) ?? plain;
  try {
    const options = {
      command: launch.command,
      args: launch.args,
      env: launch.env,
      cwd: workspacePath,
      timeoutMs: hooks.timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal,
    };
    return await runCommand(options, { grace: GRACE });
  } finally {
    await launch.dispose?.();
  }
}

function reportEnd(
  request: HookRequest,
  command: string,
  result: CommandResult,
  problem: string | null,
): void {
  request.report?.({
    type: 'hook',
    hook: WRITTEN_NAMES[request.name],
    command: stripUrlCredentials(request.redact(command)).trim().slice(0, SHOWN_CHARACTERS),
    exitCode: result.code,
    durationMs: result.durationMs,
    output: shownOutput(request, result),
    problem,
  });
}

/** Null when the command succeeded. */
function describeProblem(result: CommandResult, timeoutMs: number): string | null {
  switch (result.outcome) {
    case 'spawn_failed':
      return `it could not be started: ${result.spawnError ?? 'unknown reason'}`;
    case 'timed_out':
      return `it did not finish within ${timeoutMs} ms (hooks.timeout_ms)`;
    case 'aborted':
      return 'it was stopped';
    case 'exited':
      if (result.signal !== null) return `it was ended by ${result.signal}`;
      return result.code === 0 ? null : `exit code ${result.code}`;
  }
}

/** Redacted as a whole before it is cut, so that a cut never leaves half a secret unrecognised. */
function shownOutput({ redact }: HookRequest, { stdout, stderr }: CommandResult): string {
  const whole = [stdout.trimEnd(), stderr.trimEnd()].filter((text) => text !== '').join('\n');
  const clean = stripUrlCredentials(redact(whole));
  return clean.length > SHOWN_CHARACTERS ? `…${clean.slice(-SHOWN_CHARACTERS)}` : clean;
}

function hookFailure(
  request: HookRequest,
  position: number,
  command: string,
  problem: string,
  output: string,
): AppError {
  const name = WRITTEN_NAMES[request.name];
  const total = request.hooks[request.name].length;
  const which = total === 1 ? '' : ` (command ${position + 1} of ${total})`;
  const lastLine = output
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim()
    .slice(0, 200);
  const detail = lastLine === undefined ? '' : `: ${lastLine}`;
  const shown = command.trim().split('\n')[0]?.slice(0, 120) ?? '';
  return new AppError('hook_failed', `the ${name} hook${which} failed: ${problem}${detail}`, {
    hint: `Run it by hand in ${request.workspacePath} to see more: ${stripUrlCredentials(request.redact(shown))}`,
    context: { hook: name, workspace: request.workspacePath },
  });
}
