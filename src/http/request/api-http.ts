import type { Secret } from '../../config/resolve/secret.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRedactor } from '../../observability/redact.ts';
import type { Governor, Purpose } from '../budget/governor.ts';
import { type ReadLimits, readStandardLimits } from '../budget/limits.ts';
import {
  limitedAnswer,
  parseJson,
  type RawAnswer,
  type RequestTarget,
  rateLimitPause,
  statusError,
} from './answer.ts';
import { addressOf, checkedHeader } from './credential.ts';
import { createEtagCache } from './etag-cache.ts';
import { sendRequest } from './send-request.ts';

/** What every client of a server is made with. */
export interface ApiConnection {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly governor: Governor;
  readonly fetch?: typeof globalThis.fetch;
  /** Per attempt. Default 30 s. */
  readonly timeoutMs?: number;
}

export interface ApiHttpOptions extends ApiConnection {
  /** How messages name the tracker: `Linear`. */
  readonly provider: string;
  /** What request paths are appended to. */
  readonly baseUrl: string;
  /** The whole value of the `Authorization` header, e.g. `Bearer …`. */
  readonly authorization: Secret;
  /** Default: `X-RateLimit-*`. */
  readonly readLimits?: ReadLimits;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 16 MiB. */
  readonly maxBytes?: number;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Appended to the base address, with its query; or a whole address under it, as `Link` headers give. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
  /** The allowance it draws from; without it all of them count. */
  readonly meter?: string;
  /** True when sending it twice does no harm; then one retry may follow a passing failure. Default: it is a GET. */
  readonly idempotent?: boolean;
  /** Statuses besides 2xx that are answers, not errors, e.g. 404. Redirects are never followed. */
  readonly expected?: readonly number[];
  readonly maxBytes?: number;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Null for an answer without a body. Not a copy: a cached answer is given out again. */
  readonly json: unknown;
  readonly notModified: boolean;
}

export interface ApiHttp {
  readonly governor: Governor;
  /** Rejects with an AppError: `tracker_request`, `_status`, `_response` or `_rate_limited`. */
  request(request: ApiRequest): Promise<ApiResponse>;
  /** Takes the credential out of a text. */
  redact(text: string): string;
}

const MAX_BYTES = 16 * 1024 * 1024;
const RETRY_DELAY_MS = 250;
const PASSING_STATUSES = new Set([500, 502, 503, 504]);

/** JSON over HTTP to one tracker with one credential: bounded, polite, and silent about secrets. */
export function createApiHttp(options: ApiHttpOptions): ApiHttp {
  return new JsonHttp(options);
}

class JsonHttp implements ApiHttp {
  readonly governor: Governor;
  readonly redact: (text: string) => string;
  readonly #options: ApiHttpOptions;
  readonly #authorization: string;
  readonly #cache = createEtagCache();

  constructor(options: ApiHttpOptions) {
    const header = checkedHeader(options.authorization, options.provider);
    const redactor = createRedactor({ secrets: [header, header.slice(header.lastIndexOf(' ') + 1)] });
    this.governor = options.governor;
    this.redact = (text) => redactor.redact(text);
    this.#options = options;
    this.#authorization = header;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const { baseUrl, provider, clock, logger } = this.#options;
    const url = addressOf(baseUrl, request.path, provider);
    const method = request.method ?? 'GET';
    const target: RequestTarget = { provider, method, path: url.pathname, redact: this.redact };
    try {
      return await this.#attempt(request, url, target);
    } catch (error) {
      const again = (request.idempotent ?? method === 'GET') && isPassing(error) && !request.signal.aborted;
      if (!again) throw error;
      logger.debug('tracker request is tried again', { provider, method, path: target.path });
      await new Promise<void>((resolve) => clock.setTimer(RETRY_DELAY_MS, resolve));
      return this.#attempt(request, url, target);
    }
  }

  async #attempt(request: ApiRequest, url: URL, target: RequestTarget): Promise<ApiResponse> {
    const headers = requestHeaders(this.#options, request, this.#authorization);
    const cacheKey = `${url.href} ${headers['accept']}`;
    const cached = target.method === 'GET' ? this.#cache.get(cacheKey) : undefined;
    if (cached !== undefined) headers['if-none-match'] = cached.etag;
    const answer = await this.#send(request, url, target, headers);
    const notModified = answer.status === 304 && cached !== undefined;
    this.#observe(answer, notModified);
    if (notModified)
      return { status: cached.status, headers: cached.headers, json: cached.json, notModified };
    const json = this.#judge(answer, request, target);
    const etag = answer.headers.get('etag');
    if (target.method === 'GET' && etag !== null && answer.status === 200) {
      this.#cache.set(cacheKey, { etag, json, status: 200, headers: answer.headers, bytes: answer.bytes });
    }
    return { status: answer.status, headers: answer.headers, json, notModified: false };
  }

  async #send(
    request: ApiRequest,
    url: URL,
    target: RequestTarget,
    headers: Readonly<Record<string, string>>,
  ): Promise<RawAnswer> {
    const { fetch = globalThis.fetch, clock, timeoutMs = 30_000, maxBytes = MAX_BYTES } = this.#options;
    const { body, signal } = request;
    await this.governor.admit(request.purpose, signal, request.meter);
    const limits = { timeoutMs, maxBytes: request.maxBytes ?? maxBytes };
    return sendRequest({ fetch, clock, target, url, headers, body, signal, ...limits });
  }

  #observe(answer: RawAnswer, notModified: boolean): void {
    const { clock, readLimits = readStandardLimits } = this.#options;
    const readings = readLimits(answer.headers, clock.now());
    this.governor.observe({
      notModified,
      readings: notModified ? readings.map((reading) => ({ ...reading, cost: 0 })) : readings,
    });
  }

  #judge(answer: RawAnswer, request: ApiRequest, target: RequestTarget): unknown {
    const pause = rateLimitPause(answer, this.#options.clock.now());
    if (pause !== null) {
      this.governor.pause(pause);
      throw limitedAnswer(target, answer.status, pause);
    }
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (!isSuccess && request.expected?.includes(answer.status) !== true) throw statusError(answer, target);
    return isSuccess ? parseJson(answer, target) : parseIfJson(answer, target);
  }
}

/** A failure that the same request may not meet a moment later. Timeouts are not: they already took their time. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  if (error.code === 'tracker_request') return error.context['timedOut'] !== true;
  return error.code === 'tracker_status' && PASSING_STATUSES.has(Number(error.context['status']));
}

function requestHeaders(
  options: ApiHttpOptions,
  request: ApiRequest,
  authorization: string,
): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': 'aiops-platform',
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
    ...request.headers,
    authorization,
  };
}

function parseIfJson(answer: RawAnswer, target: RequestTarget): unknown {
  try {
    return parseJson(answer, target);
  } catch {
    return null;
  }
}
