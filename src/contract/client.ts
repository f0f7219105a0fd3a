import type { ActionBody, ActionName } from './actions.ts';
import { API_ROUTES, type ApiResult, type ApiRouteName, issuePath } from './api.ts';
import { errorEnvelopeSchema } from './error.ts';
import { ACTION_HEADER, IDEMPOTENCY_HEADER } from './refresh.ts';
import type { IssueChangeBody, IssueMoveBody, NewIssueBody, TrackerIssue } from './tracker-issues.ts';

/** The part of `fetch` the client needs; the platform's own fits. */
export type FetchLike = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
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

/** Values for a query; those that are undefined are left out. */
type Query = Readonly<Record<string, string | number | undefined>>;

export interface ApiClient {
  state(signal?: AbortSignal): Promise<ApiResult<'state'>>;
  worker(signal?: AbortSignal): Promise<ApiResult<'worker'>>;
  /** A code for a browser; takes a token that may act. */
  link(signal?: AbortSignal): Promise<ApiResult<'link'>>;
  /** The token that a code stands for; it works once. */
  session(code: string, signal?: AbortSignal): Promise<ApiResult<'session'>>;
  /** Null when the worker does not know the issue. */
  issue(idOrIdentifier: string, signal?: AbortSignal): Promise<ApiResult<'issue'> | null>;
  refresh(signal?: AbortSignal): Promise<ApiResult<'refresh'>>;
  runs(
    query?: {
      readonly limit?: number;
      readonly before?: string;
      readonly issue?: string;
      readonly outcome?: string;
    },
    signal?: AbortSignal,
  ): Promise<ApiResult<'runs'>>;
  run(id: string, signal?: AbortSignal): Promise<ApiResult<'run'>>;
  runEvents(
    id: string,
    page?: { readonly after?: number; readonly limit?: number },
    signal?: AbortSignal,
  ): Promise<ApiResult<'runEvents'>>;
  runDiff(id: string, signal?: AbortSignal): Promise<ApiResult<'runDiff'>>;
  history(
    query?: { readonly bucket?: 'hour' | 'day'; readonly points?: number },
    signal?: AbortSignal,
  ): Promise<ApiResult<'history'>>;
  actions(limit?: number, signal?: AbortSignal): Promise<ApiResult<'actions'>>;
  /** Issues that can be written through the worker; `not_found` where the tracker has a page of its own. */
  trackerBoard(signal?: AbortSignal): Promise<ApiResult<'trackerBoard'>>;
  trackerIssue(id: string, signal?: AbortSignal): Promise<TrackerIssue>;
  createIssue(body: NewIssueBody, signal?: AbortSignal): Promise<TrackerIssue>;
  /** An `issue_conflict`, with the issue as it is now, when it is no longer what was read. */
  changeIssue(id: string, body: IssueChangeBody, signal?: AbortSignal): Promise<TrackerIssue>;
  moveIssue(id: string, body: IssueMoveBody, signal?: AbortSignal): Promise<TrackerIssue>;
  /** With a `key`, the same call twice is done once. */
  act<Name extends ActionName>(
    action: Name,
    body: ActionBody<Name>,
    options?: { readonly key?: string; readonly signal?: AbortSignal },
  ): Promise<ApiResult<'act'>>;
}

/**
 * Why a call failed. `status` is null when no answer came; `code` is the server's own, or `unreachable` (no
 * connection), `aborted` (the caller's signal), `unexpected_answer` (not this API, or another version of it).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number | null;
  /** What to do about it, when the server says. */
  readonly hint: string | null;
  /** With `issue_conflict`: the issue as it is now. */
  readonly current: TrackerIssue | null;

  constructor(
    code: string,
    message: string,
    status: number | null,
    cause?: unknown,
    told: { readonly hint?: string | undefined; readonly current?: TrackerIssue | undefined } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.hint = told.hint ?? null;
    this.current = told.current ?? null;
  }
}

interface Call {
  /** The route's own, unless given. */
  readonly path?: string;
  /** For `{run}` in the path. */
  readonly run?: string;
  /** For `{issue}` in the path. */
  readonly issue?: string;
  readonly query?: Query | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export function createClient(options: ClientOptions): ApiClient {
  const call = <Name extends ApiRouteName>(name: Name, request: Call): Promise<ApiResult<Name>> =>
    ask(options, name, request);
  return {
    state: (signal) => call('state', { signal }),
    worker: (signal) => call('worker', { signal }),
    link: (signal) => call('link', { signal }),
    session: (code, signal) => call('session', { signal, body: { code } }),
    refresh: (signal) => call('refresh', { signal }),
    async issue(idOrIdentifier, signal) {
      try {
        return await call('issue', { path: issuePath(idOrIdentifier), signal });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'issue_not_found') return null;
        throw error;
      }
    },
    runs: (query, signal) => call('runs', { query, signal }),
    run: (id, signal) => call('run', { run: id, signal }),
    runEvents: (id, page, signal) => call('runEvents', { run: id, query: page, signal }),
    runDiff: (id, signal) => call('runDiff', { run: id, signal }),
    history: (query, signal) => call('history', { query, signal }),
    actions: (limit, signal) => call('actions', { query: { limit }, signal }),
    trackerBoard: (signal) => call('trackerBoard', { signal }),
    trackerIssue: (issue, signal) => call('trackerIssue', { issue, signal }),
    createIssue: (body, signal) => call('createIssue', { body, signal }),
    changeIssue: (issue, body, signal) => call('changeIssue', { issue, body, signal }),
    moveIssue: (issue, body, signal) => call('moveIssue', { issue, body, signal }),
    act: (action, body, { key, signal } = {}) =>
      call('act', {
        path: API_ROUTES.act.path.replace('{action}', action),
        signal,
        body,
        ...(key === undefined ? {} : { headers: { [IDEMPOTENCY_HEADER]: key } }),
      }),
  };
}

async function ask<Name extends ApiRouteName>(
  options: ClientOptions,
  name: Name,
  request: Call,
): Promise<ApiResult<Name>> {
  const route = API_ROUTES[name];
  const path = pathOf(route.path, request);
  const answer = await send(options, route.method, path, request);
  if (!answer.ok) throw failureFrom(answer.status, answer.text);
  const parsed = route.result.safeParse(parseJson(answer.text));
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new ApiError(
      'unexpected_answer',
      `${path} answered with something this client does not understand (at "${where}")`,
      answer.status,
      parsed.error,
    );
  }
  return parsed.data as ApiResult<Name>;
}

async function send(
  options: ClientOptions,
  method: string,
  path: string,
  { signal, body, headers: more }: Call,
) {
  const base = options.baseUrl.replace(/\/+$/, '');
  const headers: Record<string, string> = { accept: 'application/json', ...more };
  if (method !== 'GET') headers[ACTION_HEADER] = 'true';
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    const init = {
      method,
      headers,
      cache: 'no-store' as const,
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await options.fetch(`${base}${path}`, init);
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch (error) {
    if (signal?.aborted) throw new ApiError('aborted', `${path} was given up`, null, error);
    throw new ApiError('unreachable', `no answer from ${base === '' ? 'the worker' : base}`, null, error);
  }
}

function pathOf(routePath: string, { path = routePath, run = '', issue = '', query = {} }: Call): string {
  const filled = path
    .replace('{run}', () => encodeURIComponent(run))
    .replace('{issue}', () => encodeURIComponent(issue));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an answer with an error status says. */
export function failureFrom(status: number, text: string): ApiError {
  const parsed = errorEnvelopeSchema.safeParse(parseJson(text));
  if (!parsed.success)
    return new ApiError('unexpected_answer', `the server answered with status ${status}`, status);
  const { error, current } = parsed.data;
  return new ApiError(error.code, error.message, status, undefined, { hint: error.hint, current });
}
