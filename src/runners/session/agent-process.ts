import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Child, ChildExit, ChildOptions } from '../../process/children/child.ts';
import { spawnChild } from '../../process/children/spawn.ts';
import { enterRunCgroup, findTree } from '../../process/helper/helper.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';

export interface AgentProcess {
  readonly child: Child;
  /** The process's end as an error; null while it lives. */
  exitError(): AppError | null;
  /** The same, once it has ended. */
  readonly gone: Promise<AppError>;
  /** When the agent last showed progress, in `elapsed` time. */
  heardAt(): number;
}

export interface AgentProcessOptions {
  /** What to do when the shell does not find the command. */
  readonly howToInstall: string;
  /** What to do about the last thing it said; null when there is nothing better than to try it by hand. */
  hintFor?(lastErrorLine: string): string | null;
  readonly maxLineBytes?: number;
  /** False for a line that is no sign of progress. */
  onLine(line: string): unknown;
  onOversizeLine(bytes: number): void;
}

/** Where and for whom an agent runs. */
export interface AgentProcessPlace {
  /** What people call the agent. */
  readonly name: string;
  readonly input: Pick<SessionInput, 'workspacePath' | 'runId' | 'logger'>;
  readonly clock: Clock;
}

const SHELL_FOUND_NOTHING = 127;
const MAX_SAID = 500;

/** Starts an agent in its workspace, remembers its last words, and removes what was made for the launch when it has ended. */
export async function startAgentProcess(
  launch: Launch,
  { name, input, clock }: AgentProcessPlace,
  options: AgentProcessOptions,
): Promise<AgentProcess> {
  let heardAt = clock.elapsed();
  let lastErrorLine = '';
  let exitError: AppError | null = null;
  const dispose = (): void => void launch.dispose?.().catch(() => {});
  const started: ChildOptions = {
    command: launch.command,
    args: launch.args,
    env: launch.env,
    cwd: input.workspacePath,
    runId: input.runId,
    ...(options.maxLineBytes === undefined ? {} : { maxLineBytes: options.maxLineBytes }),
    onLine(line) {
      if (options.onLine(line) !== false) heardAt = clock.elapsed();
    },
    onOversizeLine(bytes) {
      heardAt = clock.elapsed();
      options.onOversizeLine(bytes);
    },
    onErrorLine(line) {
      if (line.trim() !== '') lastErrorLine = line.trim();
      input.logger.debug('agent stderr', { line });
    },
  };
  const child = await spawnChild(started, { findTree, enterRunCgroup }).catch((error: unknown) => {
    dispose();
    throw error;
  });
  const gone = child.exited.then((exit) => {
    dispose();
    exitError = errorOfExit(exit, { name, command: launch.command, lastErrorLine }, options);
    return exitError;
  });
  return { child, exitError: () => exitError, gone, heardAt: () => heardAt };
}

function errorOfExit(
  { code, signal }: ChildExit,
  { name, command, lastErrorLine }: { name: string; command: string; lastErrorLine: string },
  { howToInstall, hintFor }: AgentProcessOptions,
): AppError {
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
  const said = lastErrorLine === '' ? '' : `: ${lastErrorLine.slice(0, MAX_SAID)}`;
  const missing = code === SHELL_FOUND_NOTHING;
  const byHand = `Run \`${command}\` by hand as the worker's user to see what it says.`;
  return new AppError(missing ? 'agent_not_found' : 'port_exit', sentence(`${name} ${how}${said}`), {
    hint: missing ? howToInstall : (hintFor?.(lastErrorLine) ?? byHand),
    context: { command },
  });
}

/** With a capital letter at its beginning. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
