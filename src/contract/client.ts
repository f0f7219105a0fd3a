import type * as z from 'zod';
import { API_ROUTES, type ApiResult, issuePath } from './api.ts';
import { errorEnvelopeSchema } from './error.ts';
import { ACTION_HEADER } from './refresh.ts';

/** The part of `fetch` the client needs; the platform's own fits. */
export type FetchLike = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly signal?: AbortSignal;
    readonly cache?: 'no-store';
  },
) => Promise<{ readonly ok: boolean; readonly status: number; text(): Promise<string> }>;

export interface ClientOptions {
  /** Where the worker listens, e.g. `http://127.0.0.1:4000`; '' asks the page's own origin. */
  readonly baseUrl: string;
  readonly fetch: FetchLike;
  /** Sent as a bearer token when given. */
  readonly token?: string;
}

export interface ApiClient {
  state(signal?: AbortSignal): Promise<ApiResult<'state'>>;
  /** Null when the worker does not know the issue. */
  issue(idOrIdentifier: string, signal?: AbortSignal): Promise<ApiResult<'issue'> | null>;
  refresh(signal?: AbortSignal): Promise<ApiResult<'refresh'>>;
}

/**
 * Why a call failed. `status` is null when no answer came; `code` is the server's own, or `unreachable` (no
 * connection), `aborted` (the caller's signal), `unexpected_answer` (not this API, or another version of it).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number | null;

  constructor(code: string, message: string, status: number | null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
  }
}

type Route = { readonly method: string; readonly result: z.ZodType };

export function createClient(options: ClientOptions): ApiClient {
  const base = options.baseUrl.replace(/\/+$/, '');

  async function call<R extends Route>(
    route: R,
    path: string,
    signal?: AbortSignal,
  ): Promise<z.infer<R['result']>> {
    const answer = await send(route.method, path, signal);
    const body = parseJson(answer.text);
    if (!answer.ok) throw failureOf(answer.status, body);
    const parsed = route.result.safeParse(body);
    if (!parsed.success) {
      const where = parsed.error.issues[0]?.path.join('.') ?? '';
      throw new ApiError(
        'unexpected_answer',
        `${path} answered with something this client does not understand (at "${where}")`,
        answer.status,
        parsed.error,
      );
    }
    return parsed.data as z.infer<R['result']>;
  }

  async function send(method: string, path: string, signal: AbortSignal | undefined) {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (method !== 'GET') headers[ACTION_HEADER] = 'true';
    if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
    try {
      const init = { method, headers, cache: 'no-store' as const, ...(signal && { signal }) };
      const response = await options.fetch(`${base}${path}`, init);
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch (error) {
      if (signal?.aborted) throw new ApiError('aborted', `${path} was given up`, null, error);
      throw new ApiError('unreachable', `no answer from ${base === '' ? 'the worker' : base}`, null, error);
    }
  }

  return {
    state: (signal) => call(API_ROUTES.state, API_ROUTES.state.path, signal),
    refresh: (signal) => call(API_ROUTES.refresh, API_ROUTES.refresh.path, signal),
    async issue(idOrIdentifier, signal) {
      try {
        return await call(API_ROUTES.issue, issuePath(idOrIdentifier), signal);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'issue_not_found') return null;
        throw error;
      }
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(status: number, body: unknown): ApiError {
  const parsed = errorEnvelopeSchema.safeParse(body);
  if (parsed.success) return new ApiError(parsed.data.error.code, parsed.data.error.message, status);
  return new ApiError('unexpected_answer', `the server answered with status ${status}`, status);
}
