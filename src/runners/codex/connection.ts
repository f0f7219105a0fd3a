import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Child, ChildExit } from '../../process/child.ts';
import { spawnChild } from '../../process/spawn.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { RequestId } from './protocol.ts';
import { createRpc, type Rpc } from './rpc.ts';

export interface ConnectionHandlers {
  onRequest(id: RequestId, method: string, params: unknown): void;
  /** False for a notification that is no sign of progress. */
  onNotification(method: string, params: unknown): boolean;
  onPulse(method: string): void;
  /** A line was too long to be read. */
  onLost(): void;
  onMalformed(bytes: number): void;
}

/** A running app-server and the conversation with it. */
export interface Connection {
  readonly child: Child;
  readonly rpc: Rpc;
  /** When the server last showed progress. */
  heardAt(): number;
  /** The process's end as an error; null while it lives. */
  exitError(): AppError | null;
}

const SHELL_FOUND_NOTHING = 127;

export async function openConnection(
  launch: Launch,
  input: SessionInput,
  clock: Clock,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  let child: Child | null = null;
  let heardAt = clock.now();
  let progress = true;
  let lastErrorLine = '';
  let exitError: AppError | null = null;
  const rpc = createRpc({
    clock,
    write: (line) => child?.writeLine(line) ?? Promise.reject(new Error('the app-server is not started yet')),
    onRequest: handlers.onRequest,
    onNotification(method, params) {
      progress = handlers.onNotification(method, params);
    },
    onPulse: handlers.onPulse,
    onMalformed: handlers.onMalformed,
  });
  const dispose = (): void => void launch.dispose?.().catch(() => {});
  child = await spawnChild({
    command: launch.command,
    args: launch.args,
    env: launch.env,
    cwd: input.workspacePath,
    runId: input.runId,
    onLine(line) {
      progress = true;
      rpc.acceptLine(line);
      if (progress) heardAt = clock.now();
    },
    onOversizeLine(bytes) {
      heardAt = clock.now();
      handlers.onMalformed(bytes);
      handlers.onLost();
    },
    onErrorLine(line) {
      if (line.trim() !== '') lastErrorLine = line.trim();
      input.logger.debug('agent stderr', { line });
    },
  }).catch((error: unknown) => {
    dispose();
    throw error;
  });
  void child.exited.then((exit) => {
    exitError = errorOfExit(exit, launch.command, lastErrorLine);
    rpc.close(exitError);
    dispose();
  });
  return { child, rpc, heardAt: () => heardAt, exitError: () => exitError };
}

function errorOfExit({ code, signal }: ChildExit, command: string, lastErrorLine: string): AppError {
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
  const said = lastErrorLine === '' ? '' : `: ${lastErrorLine.slice(0, 500)}`;
  const missing = code === SHELL_FOUND_NOTHING;
  return new AppError(missing ? 'agent_not_found' : 'port_exit', `Codex ${how}${said}`, {
    hint: missing
      ? 'Install Codex (npm install -g @openai/codex), or write its full path into codex.command in WORKFLOW.md.'
      : `Run \`${command}\` by hand as the worker's user to see what it says.`,
    context: { command },
  });
}
