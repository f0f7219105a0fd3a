import type { Clock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { describe, invalidAnswer, type RawAnswer, type RequestTarget } from './answer.ts';
import { BodyTooLarge, readBody } from './read-body.ts';

export interface OutgoingRequest {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly target: RequestTarget;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Sends one request and reads the whole answer, within the time and size allowed. */
export async function sendRequest(input: OutgoingRequest): Promise<RawAnswer> {
  const { target, clock, signal, timeoutMs } = input;
  const timeout = new AbortController();
  const cancelTimer = clock.setTimer(timeoutMs, () => timeout.abort());
  try {
    const response = await input.fetch(input.url, {
      method: target.method,
      headers: input.headers,
      body: input.body === undefined ? null : JSON.stringify(input.body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    const { text, bytes } = await readBody(response, input.maxBytes);
    return { status: response.status, headers: response.headers, text, bytes };
  } catch (error) {
    if (error instanceof BodyTooLarge)
      throw invalidAnswer(target, `is larger than ${input.maxBytes} bytes`, { tooLarge: true });
    throw requestError(error, target, signal.aborted, timeout.signal.aborted ? timeoutMs : null);
  } finally {
    cancelTimer();
  }
}

function requestError(
  error: unknown,
  target: RequestTarget,
  cancelled: boolean,
  timeoutMs: number | null,
): AppError {
  if (cancelled) return new AppError('tracker_request', `The request to ${describe(target)} was cancelled.`);
  if (timeoutMs !== null) {
    return new AppError(
      'tracker_request',
      `${describe(target)} did not answer within ${Math.round(timeoutMs / 1000)} s.`,
      { hint: 'Check the network and tracker.endpoint.', context: { timedOut: true } },
    );
  }
  return new AppError(
    'tracker_request',
    `${describe(target)} could not be reached: ${reasonOf(error, target)}.`,
    {
      hint: 'Check the network and tracker.endpoint.',
    },
  );
}

/** fetch says only `fetch failed`; the reason is its cause. */
function reasonOf(error: unknown, target: RequestTarget): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return target.redact(messageOf(cause).trim() || code || 'no reason given');
}
