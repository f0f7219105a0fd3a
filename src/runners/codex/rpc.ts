import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import { formatJsonLine, parseJsonLine } from '../../process/lines/json-lines.ts';
import { withTimeLimit } from '../session/time-limit.ts';
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

export interface ServerRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
}

export interface RpcHandlers {
  write(line: string): Promise<void>;
  onRequest(rpc: Rpc, request: ServerRequest): void;
  onNotification(method: string, params: unknown): void;
  /** A frequent notification that says no more than that the agent lives; its params are never looked at. */
  onPulse(method: string): void;
  onMalformed(bytes: number): void;
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
}

type Fields = Readonly<Record<string, unknown>>;

/** One JSON-RPC connection over lines, as the app-server speaks it: without a `jsonrpc` field. */
export class Rpc {
  readonly #clock: Clock;
  readonly #handlers: RpcHandlers;
  readonly #pending = new Map<RequestId, Pending>();
  #lastId = 0;
  #closed: AppError | null = null;

  constructor(clock: Clock, handlers: RpcHandlers) {
    this.#clock = clock;
    this.#handlers = handlers;
  }

  /**
   * Rejects with RpcError, with `response_timeout`, or with the reason the connection was closed for. What it resolves
   * with is foreign: it is for the caller to check.
   */
  async request<M extends keyof ClientParams>(
    method: M,
    params: ClientParams[M],
    timeoutMs: number,
  ): Promise<unknown> {
    for (const delayMs of RETRY_DELAYS_MS) {
      try {
        return await this.#requestOnce(method, params, timeoutMs);
      } catch (error) {
        if (!(error instanceof RpcError) || error.code !== OVERLOADED) throw error;
        await new Promise<void>((resolve) => void this.#clock.setTimer(delayMs, resolve));
      }
    }
    return this.#requestOnce(method, params, timeoutMs);
  }

  notify(method: 'initialized'): void {
    this.#send({ method });
  }

  /** Name the method where it is known, so that the answer is the right one. */
  answer<M extends keyof ServerResults>(id: RequestId, result: ServerResults[M]): void {
    this.#send({ id, result });
  }

  refuse(id: RequestId, code: number, message: string): void {
    this.#send({ id, error: { code, message } });
  }

  acceptLine(line: string): void {
    const pulse = PULSE.exec(line)?.[1];
    if (pulse !== undefined) {
      this.#handlers.onPulse(pulse);
      return;
    }
    const parsed = parseJsonLine(line);
    if (parsed.kind === 'noise') return;
    if (parsed.kind === 'malformed' || !this.#accept(parsed.value))
      this.#handlers.onMalformed(Buffer.byteLength(line));
  }

  /** Ends every request that still waits. */
  close(reason: AppError): void {
    this.#closed ??= reason;
    for (const { reject } of this.#pending.values()) reject(this.#closed);
  }

  async #requestOnce(method: string, params: object, timeoutMs: number): Promise<unknown> {
    if (this.#closed !== null) throw this.#closed;
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise((resolve, reject) => this.#pending.set(id, { method, resolve, reject }));
    this.#send({ method, id, params });
    const late = (ms: number): AppError => timedOut(method, ms);
    return withTimeLimit(this.#clock, timeoutMs, answer, late).finally(() => this.#pending.delete(id));
  }

  #accept(message: Fields): boolean {
    const { id, method, params } = message;
    const isId = typeof id === 'number' || typeof id === 'string';
    if (typeof method === 'string') {
      if (isId) this.#handlers.onRequest(this, { id, method, params });
      else this.#handlers.onNotification(method, params);
      return true;
    }
    return isId && this.#acceptResponse(id, message);
  }

  #acceptResponse(id: RequestId, message: Fields): boolean {
    const waiting = this.#pending.get(id);
    if (waiting === undefined) return 'result' in message || 'error' in message;
    if ('error' in message) waiting.reject(errorOf(waiting.method, message['error']));
    else waiting.resolve(message['result']);
    return true;
  }

  // A pipe that breaks is followed by the exit of the process, which closes the connection.
  #send(message: object): void {
    this.#handlers.write(formatJsonLine(message)).catch(() => {});
  }
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
