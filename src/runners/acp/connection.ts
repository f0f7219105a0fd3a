import {
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  client,
  methods,
  RequestError,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Child, ChildExit } from '../../process/child.ts';
import { spawnChild } from '../../process/spawn.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import { createWire } from './wire.ts';

export interface ConnectionHandlers {
  onPermission(params: unknown): RequestPermissionResponse;
  /** A request this client does not serve; it is refused. */
  onRefused(method: string): void;
  onUpdate(params: unknown): void;
  onMalformed(bytes: number): void;
}

/** A running agent and the conversation with it. */
export interface Connection {
  readonly child: Child;
  /**
   * The answer is not checked. Rejects with RequestError, with `response_timeout`, or with the process's end. Without a limit it
   * waits for as long as the agent lives.
   */
  request<M extends AgentRequestMethod>(
    method: M,
    params: AgentRequestParamsByMethod[M],
    timeoutMs: number | null,
  ): Promise<unknown>;
  /** Asks the agent to end the turn that is running. */
  cancel(sessionId: string): void;
  heardAt(): number;
  /** The process's end as an error; null while it lives. */
  exitError(): AppError | null;
}

const SHELL_FOUND_NOTHING = 127;
const MAX_TEXT = 500;
const MAX_NAME = 100;

export async function openConnection(
  launch: Launch,
  input: SessionInput,
  clock: Clock,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  let child: Child | null = null;
  let heardAt = clock.now();
  let lastErrorLine = '';
  let exitError: AppError | null = null;

  const wire = createWire({
    // The child bounds what waits for it. An agent that does not read cannot be spoken to any more.
    write: (line) => void child?.writeLine(line).catch((error: unknown) => link.close(error)),
    onUpdate: handlers.onUpdate,
    onMalformed: handlers.onMalformed,
  });
  const link = client({ name: 'aiops' })
    .onRequest(
      methods.client.session.requestPermission,
      (params: unknown) => params,
      ({ params }) => handlers.onPermission(params),
    )
    .onRequest('*', ({ method }) => {
      handlers.onRefused(method.slice(0, MAX_NAME));
      throw RequestError.methodNotFound(method.slice(0, MAX_NAME));
    })
    .connect(wire.stream);

  const dispose = (): void => void launch.dispose?.().catch(() => {});
  child = await spawnChild({
    command: launch.command,
    args: launch.args,
    env: launch.env,
    cwd: input.workspacePath,
    runId: input.runId,
    onLine(line) {
      heardAt = clock.now();
      wire.acceptLine(line);
    },
    onOversizeLine(bytes) {
      heardAt = clock.now();
      handlers.onMalformed(bytes);
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
    wire.end();
    dispose();
  });

  return {
    child,
    async request(method, params, timeoutMs) {
      if (exitError !== null) throw exitError;
      let cancelTimer = (): void => {};
      const late = new Promise<never>((_resolve, reject) => {
        if (timeoutMs === null) return;
        cancelTimer = clock.setTimer(timeoutMs, () => reject(timedOut(method, timeoutMs)));
      });
      try {
        return await Promise.race([link.agent.request(method, params), late]);
      } catch (error) {
        throw exitError ?? error;
      } finally {
        cancelTimer();
      }
    },
    cancel: (sessionId) =>
      void link.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {}),
    heardAt: () => heardAt,
    exitError: () => exitError,
  };
}

function timedOut(method: string, ms: number): AppError {
  return new AppError('response_timeout', `The agent did not answer ${method} within ${ms} ms.`, {
    hint: 'Check that acp.command in WORKFLOW.md starts an agent of the Agent Client Protocol on standard input and output.',
  });
}

function errorOfExit({ code, signal }: ChildExit, command: string, lastErrorLine: string): AppError {
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
  const said = lastErrorLine === '' ? '' : `: ${lastErrorLine.slice(0, MAX_TEXT)}`;
  const missing = code === SHELL_FOUND_NOTHING;
  return new AppError(missing ? 'agent_not_found' : 'port_exit', `The agent ${how}${said}`, {
    hint: missing
      ? 'Install the agent, or write its full path into acp.command in WORKFLOW.md.'
      : `Run \`${command}\` by hand as the worker's user to see what it says.`,
    context: { command },
  });
}
