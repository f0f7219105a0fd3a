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

const RETRY_DELAY_MS = 250;
const PASSING_STATUSES = new Set([500, 502, 503, 504]);

/** JSON over HTTP to one tracker with one credential: bounded, polite, and silent about secrets. */
export function createApiHttp(options: ApiHttpOptions): ApiHttp {
  const { clock, governor, logger, provider } = options;
  const header = checkedHeader(options.authorization, provider);
  const redactor = createRedactor({ secrets: [header, header.slice(header.lastIndexOf(' ') + 1)] });
  const redact = (text: string): string => redactor.redact(text);
  const cache = createEtagCache();
  const readLimits = options.readLimits ?? readStandardLimits;

  async function attempt(request: ApiRequest, url: URL, target: RequestTarget): Promise<ApiResponse> {
    const headers = requestHeaders(options, request, header);
    const cacheKey = `${url.href} ${headers['accept']}`;
    const cached = target.method === 'GET' ? cache.get(cacheKey) : undefined;
    if (cached !== undefined) headers['if-none-match'] = cached.etag;
    await governor.admit(request.purpose, request.signal, request.meter);
    const answer = await sendRequest({
      fetch: options.fetch ?? globalThis.fetch,
      clock,
      target,
      url,
      headers,
      body: request.body,
      signal: request.signal,
      timeoutMs: options.timeoutMs ?? 30_000,
      maxBytes: request.maxBytes ?? options.maxBytes ?? 16 * 1024 * 1024,
    });
    const notModified = answer.status === 304 && cached !== undefined;
    const readings = readLimits(answer.headers, clock.now());
    governor.observe({
      notModified,
      readings: notModified ? readings.map((reading) => ({ ...reading, cost: 0 })) : readings,
    });
    if (notModified)
      return { status: cached.status, headers: cached.headers, json: cached.json, notModified };
    const json = judge(answer, request, target);
    const etag = answer.headers.get('etag');
    if (target.method === 'GET' && etag !== null && answer.status === 200) {
      cache.set(cacheKey, { etag, json, status: 200, headers: answer.headers, bytes: answer.bytes });
    }
    return { status: answer.status, headers: answer.headers, json, notModified: false };
  }

  function judge(answer: RawAnswer, request: ApiRequest, target: RequestTarget): unknown {
    const pause = rateLimitPause(answer, clock.now());
    if (pause !== null) {
      governor.pause(pause);
      throw limitedAnswer(target, answer.status, pause);
    }
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (!isSuccess && request.expected?.includes(answer.status) !== true) throw statusError(answer, target);
    return isSuccess ? parseJson(answer, target) : parseIfJson(answer, target);
  }

  return {
    governor,
    redact,
    async request(request) {
      const url = addressOf(options.baseUrl, request.path, provider);
      const method = request.method ?? 'GET';
      const target: RequestTarget = { provider, method, path: url.pathname, redact };
      try {
        return await attempt(request, url, target);
      } catch (error) {
        const again = (request.idempotent ?? method === 'GET') && isPassing(error) && !request.signal.aborted;
        if (!again) throw error;
        logger.debug('tracker request is tried again', { provider, method, path: target.path });
        await new Promise<void>((resolve) => clock.setTimer(RETRY_DELAY_MS, resolve));
        return attempt(request, url, target);
      }
    },
  };
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

/** Whole addresses must lie under the base, so that the credential goes nowhere else. */
function addressOf(baseUrl: string, path: string, provider: string): URL {
  const base = new URL(baseUrl);
  const folder = base.pathname.replace(/\/+$/, '');
  const url = /^https?:\/\//i.test(path) ? new URL(path) : new URL(`${base.origin}${folder}${path}`);
  const inside =
    url.pathname === folder || url.pathname === base.pathname || url.pathname.startsWith(`${folder}/`);
  if (url.origin === base.origin && inside && url.username === '' && url.password === '') return url;
  throw new AppError('tracker_response', `${provider} named an address outside its API (${url.origin}).`, {
    hint: 'Check tracker.endpoint: it must be the address the tracker itself uses.',
  });
}

function parseIfJson(answer: RawAnswer, target: RequestTarget): unknown {
  try {
    return parseJson(answer, target);
  } catch {
    return null;
  }
}

/** A header value with a line break would be refused by fetch in a message that quotes it. */
function checkedHeader(authorization: Secret, provider: string): string {
  const value = authorization.reveal();
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(value)) return value;
  throw new AppError(
    'missing_tracker_secret',
    `The credential for ${provider} is empty or has characters no key has.`,
    {
      hint: 'Set it again without line breaks, quotes or spaces around it.',
    },
  );
}
