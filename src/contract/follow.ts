import { EVENTS_PATH } from './api.ts';
import { ApiError, failureFrom } from './client.ts';
import { createSseParser, type SseEvent } from './sse.ts';
import { type StreamMessage, streamMessageSchema } from './stream.ts';

/** The part of `fetch` that following needs; the platform's own fits. */
export type StreamFetch = (
  url: string,
  init: {
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
    readonly cache: 'no-store';
  },
) => Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
}>;

export interface FollowOptions {
  /** Where the worker listens; '' asks the page's own origin. */
  readonly baseUrl: string;
  readonly fetch: StreamFetch;
  readonly token?: string;
  /** Runs whose events are wanted besides the state. */
  readonly runs?: 'all' | readonly string[];
  onMessage(message: StreamMessage): void;
  /** `open` after the first message of a connection; `failed` with the reason, after which it is tried again. */
  onStatus?(status: 'open' | 'failed', failure: ApiError | null): void;
  setTimer(delayMs: number, callback: () => void): () => void;
}

/** The worker sends something every five seconds; a connection silent for longer is dead. */
const SILENCE_MS = 15_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

/** Follows the stream of events until the returned function is called: reconnects, and resumes where it was. */
export function followEvents(options: FollowOptions): () => void {
  const stopped = new AbortController();
  let lastId: string | null = null;
  let failures = 0;
  let cancelWait = (): void => {};

  async function connect(): Promise<void> {
    const attempt = new AbortController();
    const abort = (): void => attempt.abort();
    stopped.signal.addEventListener('abort', abort);
    try {
      await readStream(options, lastId, attempt, (id) => {
        if (failures > 0 || id === FIRST) options.onStatus?.('open', null);
        failures = 0;
        if (id !== FIRST) lastId = id;
      });
      fail(new ApiError('unreachable', 'the worker ended the stream', null));
    } catch (error) {
      fail(asApiError(error));
    } finally {
      stopped.signal.removeEventListener('abort', abort);
    }
  }

  function fail(failure: ApiError): void {
    if (stopped.signal.aborted) return;
    // What could not be understood is not to be resumed after.
    if (failure.code === 'unexpected_answer') lastId = null;
    failures += 1;
    options.onStatus?.('failed', failure);
    // Whoever hears of it may have stopped following.
    if (stopped.signal.aborted) return;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10), MAX_WAIT_MS);
    cancelWait = options.setTimer(wait, () => void connect());
  }

  void connect();
  return () => {
    stopped.abort();
    cancelWait();
  };
}

/** Stands for the first message of a connection, which need not have an id. */
const FIRST = '';

async function readStream(
  options: FollowOptions,
  lastId: string | null,
  attempt: AbortController,
  onAlive: (id: string) => void,
): Promise<void> {
  let cancelSilence = (): void => {};
  const listen = (): void => {
    cancelSilence();
    cancelSilence = options.setTimer(SILENCE_MS, () => attempt.abort());
  };
  listen();
  try {
    const response = await options.fetch(urlOf(options), {
      headers: headersOf(options, lastId),
      signal: attempt.signal,
      cache: 'no-store',
    });
    if (!response.ok || response.body === null) throw failureFrom(response.status, await response.text());
    let heard = false;
    const parse = createSseParser((event) => {
      if (!heard) onAlive(FIRST);
      heard = true;
      if (event.id !== null) onAlive(event.id);
      const message = parseMessage(event);
      if (message !== null) options.onMessage(message);
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      listen();
      parse(decoder.decode(part.value, { stream: true }));
    }
  } finally {
    cancelSilence();
  }
}

function urlOf({ baseUrl, runs }: FollowOptions): string {
  const wanted = runs === undefined ? '' : runs === 'all' ? 'all' : runs.join(',');
  const query = wanted === '' ? '' : `?runs=${encodeURIComponent(wanted)}`;
  return `${baseUrl.replace(/\/+$/, '')}${EVENTS_PATH}${query}`;
}

function headersOf({ token }: FollowOptions, lastId: string | null): Record<string, string> {
  return {
    accept: 'text/event-stream',
    ...(lastId === null ? {} : { 'last-event-id': lastId }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

/** Null for a kind of message this client does not know: a newer worker may have more. */
function parseMessage({ event, data }: SseEvent): StreamMessage | null {
  if (!['state', 'patch', 'run', 'heartbeat'].includes(event)) return null;
  const parsed = streamMessageSchema.safeParse(parseJson(data));
  if (parsed.success) return parsed.data;
  throw new ApiError(
    'unexpected_answer',
    `a "${event}" event is not what this client understands`,
    200,
    parsed.error,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError
    ? error
    : new ApiError('unreachable', 'no answer from the worker', null, error);
}
