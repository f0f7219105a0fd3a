import type { Clock } from '../domain/clock.ts';
import { AppError, messageOf } from '../errors/app-error.ts';
import { type Asked, describe, invalidAnswer, type RawAnswer } from './answer.ts';
import { BodyTooLarge, readBody } from './read-body.ts';

export interface Exchange {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly asked: Asked;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Sends one request and reads the whole answer, within the time and size allowed. */
export async function exchange(input: Exchange): Promise<RawAnswer> {
  const { asked, clock, signal, timeoutMs } = input;
  const timeout = new AbortController();
  const cancelTimer = clock.setTimer(timeoutMs, () => timeout.abort());
  try {
    const response = await input.fetch(input.url, {
      method: asked.method,
      headers: input.headers,
      body: input.body === undefined ? null : JSON.stringify(input.body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    const { text, bytes } = await readBody(response, input.maxBytes);
    return { status: response.status, headers: response.headers, text, bytes };
  } catch (error) {
    if (error instanceof BodyTooLarge)
      throw invalidAnswer(asked, `is larger than ${input.maxBytes} bytes`, { tooLarge: true });
    throw requestError(error, asked, signal.aborted, timeout.signal.aborted ? timeoutMs : null);
  } finally {
    cancelTimer();
  }
}

function requestError(error: unknown, asked: Asked, cancelled: boolean, timeoutMs: number | null): AppError {
  if (cancelled) return new AppError('tracker_request', `The request to ${describe(asked)} was cancelled.`);
  if (timeoutMs !== null) {
    return new AppError(
      'tracker_request',
      `${describe(asked)} did not answer within ${Math.round(timeoutMs / 1000)} s.`,
      { hint: 'Check the network and tracker.endpoint.', context: { timedOut: true } },
    );
  }
  return new AppError(
    'tracker_request',
    `${describe(asked)} could not be reached: ${reasonOf(error, asked)}.`,
    {
      hint: 'Check the network and tracker.endpoint.',
    },
  );
}

/** fetch says only `fetch failed`; the reason is its cause. */
function reasonOf(error: unknown, asked: Asked): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return asked.redact(messageOf(cause).trim() || code || 'no reason given');
}
