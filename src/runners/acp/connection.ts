import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Child, ChildExit } from '../../process/child.ts';
import { formatJsonLine, parseJsonLine } from '../../process/json-lines.ts';
import { spawnChild } from '../../process/spawn.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';

/** The agent answered a request with an error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
}

export interface ConnectionHandlers {
  /** The answer to a request of the agent; undefined for one this client does not serve. */
  onRequest(method: string, params: unknown): object | undefined;
  onNotification(method: string, params: unknown): void;
  emit(event: AgentEvent): void;
}

/** A running agent and the JSON-RPC conversation with it. */
export interface Connection {
  readonly child: Child;
  /** Rejects with RpcError, with `response_timeout`, or with the process's end. Without a limit it waits for as long as the agent lives. */
  request(method: string, params: object, timeoutMs: number | null): Promise<unknown>;
  notify(method: string, params: object): void;
  heardAt(): number;
  /** The process's end as an error; null while it lives. */
  exitError(): AppError | null;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
  cancel(): void;
}

const UNKNOWN_METHOD = -32601;
const SHELL_FOUND_NOTHING = 127;
const MAX_TEXT = 500;

export async function openConnection(
  launch: Launch,
  input: SessionInput,
  clock: Clock,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  const pending = new Map<unknown, Pending>();
  let child: Child | null = null;
  let heardAt = clock.now();
  let lastErrorLine = '';
  let exitError: AppError | null = null;
  let lastId = 0;

  // A pipe that breaks is followed by the exit of the process.
  const send = (message: object): void =>
    void child?.writeLine(formatJsonLine({ jsonrpc: '2.0', ...message })).catch(() => {});

  const accept = (message: Readonly<Record<string, unknown>>): boolean => {
    const { id, method, params } = message;
    if (typeof method === 'string') {
      if (id === undefined) {
        handlers.onNotification(method, params);
        return true;
      }
      const result = handlers.onRequest(method, params);
      const error = { code: UNKNOWN_METHOD, message: `this client does not serve ${method.slice(0, 100)}` };
      send(result === undefined ? { id, error } : { id, result });
      return true;
    }
    const waiting = pending.get(id);
    if ('error' in message) waiting?.reject(new RpcError(errorText(message['error'])));
    else waiting?.resolve(message['result']);
    return waiting !== undefined;
  };

  const malformed = (bytes: number): void => handlers.emit({ type: 'malformed', bytes });
  const dispose = (): void => void launch.dispose?.().catch(() => {});
  child = await spawnChild({
    command: launch.command,
    args: launch.args,
    env: launch.env,
    cwd: input.workspacePath,
    runId: input.runId,
    onLine(line) {
      heardAt = clock.now();
      const parsed = parseJsonLine(line);
      if (parsed.kind === 'noise') return;
      if (parsed.kind === 'malformed' || !accept(parsed.value)) malformed(Buffer.byteLength(line));
    },
    onOversizeLine(bytes) {
      heardAt = clock.now();
      malformed(bytes);
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
    for (const waiting of pending.values()) waiting.reject(exitError);
    dispose();
  });

  return {
    child,
    request(method, params, timeoutMs) {
      if (exitError !== null) return Promise.reject(exitError);
      lastId += 1;
      const id = lastId;
      const answered = new Promise<unknown>((resolve, reject) => {
        const cancel =
          timeoutMs === null
            ? () => {}
            : clock.setTimer(timeoutMs, () => reject(timedOut(method, timeoutMs)));
        pending.set(id, { resolve, reject, cancel });
      }).finally(() => {
        pending.get(id)?.cancel();
        pending.delete(id);
      });
      send({ id, method, params });
      return answered;
    },
    notify: (method, params) => send({ method, params }),
    heardAt: () => heardAt,
    exitError: () => exitError,
  };
}

function errorText(error: unknown): string {
  const fields = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const { message, data } = fields;
  const said = typeof message === 'string' ? message : 'an error without a message';
  return (data === undefined ? said : `${said}: ${JSON.stringify(data)}`).slice(0, MAX_TEXT);
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
