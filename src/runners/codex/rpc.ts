import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import { formatJsonLine, parseJsonLine } from '../../process/lines/json-lines.ts';
import type { ClientParams, ServerResults } from './generated/protocol.d.ts';
import type { RequestId } from './protocol.ts';

/** The server answered a request with an error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message.slice(0, MAX_ERROR_TEXT)}`);
    this.code = code;
  }
}

export interface RpcOptions {
  readonly clock: Clock;
  write(line: string): Promise<void>;
  onRequest(id: RequestId, method: string, params: unknown): void;
  onNotification(method: string, params: unknown): void;
  /** A frequent notification that says no more than that the agent lives; its params are never looked at. */
  onPulse(method: string): void;
  onMalformed(bytes: number): void;
}

/** One JSON-RPC connection over lines, as the app-server speaks it: without a `jsonrpc` field. */
export interface Rpc {
  /**
   * Rejects with RpcError, with `response_timeout`, or with the reason the connection was closed for. What it resolves
   * with is foreign: it is for the caller to check.
   */
  request<M extends keyof ClientParams>(
    method: M,
    params: ClientParams[M],
    timeoutMs: number,
  ): Promise<unknown>;
  notify(method: 'initialized'): void;
  /** Name the method where it is known, so that the answer is the right one. */
  answer<M extends keyof ServerResults>(id: RequestId, result: ServerResults[M]): void;
  refuse(id: RequestId, code: number, message: string): void;
  acceptLine(line: string): void;
  /** Ends every request that still waits. */
  close(reason: AppError): void;
}

/** The server asks to send the request again a little later. */
const OVERLOADED = -32001;
const RETRY_DELAYS_MS = [100, 300, 900];
const MAX_ERROR_TEXT = 500;

/** Streams of fragments. The server writes the method first, so that such lines need not be parsed at all. */
const PULSE = /^\{"method":"([a-zA-Z/]{1,60}(?:[dD]elta|diff\/updated|patchUpdated|progress))"/;

interface Pending {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
  cancelTimer(): void;
}

export function createRpc(options: RpcOptions): Rpc {
  const pending = new Map<RequestId, Pending>();
  let lastId = 0;
  let closed: AppError | null = null;

  // A pipe that breaks is followed by the exit of the process, which closes the connection.
  const send = (message: object): void => void options.write(formatJsonLine(message)).catch(() => {});

  const requestOnce = (method: string, params: object, timeoutMs: number): Promise<unknown> => {
    if (closed !== null) return Promise.reject(closed);
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      const cancelTimer = options.clock.setTimer(timeoutMs, () => {
        pending.delete(id);
        reject(timedOut(method, timeoutMs));
      });
      pending.set(id, { method, resolve, reject, cancelTimer });
      send({ method, id, params });
    });
  };

  const acceptResponse = (id: RequestId, message: Readonly<Record<string, unknown>>): boolean => {
    const waiting = pending.get(id);
    if (waiting === undefined) return 'result' in message || 'error' in message;
    pending.delete(id);
    waiting.cancelTimer();
    if ('error' in message) waiting.reject(errorOf(waiting.method, message['error']));
    else waiting.resolve(message['result']);
    return true;
  };

  const accept = (message: Readonly<Record<string, unknown>>): boolean => {
    const { id, method, params } = message;
    const isId = typeof id === 'number' || typeof id === 'string';
    if (typeof method === 'string') {
      if (isId) options.onRequest(id, method, params);
      else options.onNotification(method, params);
      return true;
    }
    return isId && acceptResponse(id, message);
  };

  return {
    async request(method, params, timeoutMs) {
      for (const delayMs of RETRY_DELAYS_MS) {
        try {
          return await requestOnce(method, params, timeoutMs);
        } catch (error) {
          if (!(error instanceof RpcError) || error.code !== OVERLOADED) throw error;
          await new Promise<void>((resolve) => void options.clock.setTimer(delayMs, resolve));
        }
      }
      return requestOnce(method, params, timeoutMs);
    },
    notify: (method) => send({ method }),
    answer: (id, result) => send({ id, result }),
    refuse: (id, code, message) => send({ id, error: { code, message } }),
    acceptLine(line) {
      const pulse = PULSE.exec(line)?.[1];
      if (pulse !== undefined) {
        options.onPulse(pulse);
        return;
      }
      const parsed = parseJsonLine(line);
      if (parsed.kind === 'noise') return;
      if (parsed.kind === 'malformed' || !accept(parsed.value)) options.onMalformed(Buffer.byteLength(line));
    },
    close(reason) {
      closed ??= reason;
      for (const waiting of pending.values()) {
        waiting.cancelTimer();
        waiting.reject(closed);
      }
      pending.clear();
    },
  };
}

function errorOf(method: string, error: unknown): RpcError {
  const fields = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const code = typeof fields['code'] === 'number' ? fields['code'] : 0;
  const message = typeof fields['message'] === 'string' ? fields['message'] : 'an error without a message';
  return new RpcError(method, code, message);
}

function timedOut(method: string, ms: number): AppError {
  return new AppError('response_timeout', `Codex did not answer ${method} within ${ms} ms.`, {
    hint: 'Raise codex.read_timeout_ms in WORKFLOW.md, or look at the load of the machine.',
    context: { method },
  });
}
