import { isRecord } from '../../domain/is-record.ts';
import { parseForeignJson } from '../../domain/nesting.ts';
import { AppError } from '../../errors/app-error.ts';
import { readPause } from '../budget/limits.ts';

/** What came back, before it is judged. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: number;
}

/** What was asked of whom, for messages: never a query string, never a header. */
export interface RequestTarget {
  readonly provider: string;
  readonly method: string;
  readonly path: string;
  redact(text: string): string;
}

const SECONDARY_LIMIT = /rate limit|abuse detection/i;
const LIMIT_CODES = new Set(['RATELIMITED', 'RATE_LIMITED']);
const MAX_DETAIL_LENGTH = 300;

/** How long to wait when the answer is a refusal for asking too much, else null. Both REST and GraphQL forms. */
export function rateLimitPause({ status, headers, text }: RawAnswer, now: number): number | null {
  if (status === 429) return readPause(headers, now);
  if (status === 403) {
    const refused =
      headers.get('x-ratelimit-remaining')?.trim() === '0' ||
      headers.has('retry-after') ||
      SECONDARY_LIMIT.test(text.slice(0, 8192));
    return refused ? readPause(headers, now) : null;
  }
  return (status === 400 || status === 200) && hasLimitCode(text) ? readPause(headers, now) : null;
}

/** GraphQL servers answer 400 or 200 with a code among their errors. */
function hasLimitCode(text: string): boolean {
  if (!text.includes('RATE')) return false;
  const json = tryParse(text);
  const errors = isRecord(json) && Array.isArray(json['errors']) ? json['errors'] : [];
  return errors.some((error) => {
    if (!isRecord(error)) return false;
    const extensions = isRecord(error['extensions']) ? error['extensions'] : {};
    return [error['type'], extensions['code'], extensions['type']].some(
      (code) => typeof code === 'string' && LIMIT_CODES.has(code.toUpperCase().replaceAll(' ', '_')),
    );
  });
}

/** The JSON of an answer; null for an answer without a body. */
export function parseJson(answer: RawAnswer, target: RequestTarget): unknown {
  if (answer.status === 204 || answer.text.trim() === '') return null;
  const type = answer.headers.get('content-type') ?? '';
  if (!/[/+]json\b/i.test(type)) {
    throw invalidAnswer(target, `is not JSON but ${JSON.stringify(target.redact(type.slice(0, 80)))}`);
  }
  const json = tryParse(answer.text);
  if (json === undefined) throw invalidAnswer(target, 'is broken JSON');
  return json;
}

export function invalidAnswer(
  target: RequestTarget,
  what: string,
  context: Readonly<Record<string, unknown>> = {},
): AppError {
  return new AppError('tracker_response', `The answer of ${describe(target)} ${what}.`, {
    hint: `Check that the endpoint is the API of ${target.provider}, not a web page or a proxy.`,
    context,
  });
}

export function limitedAnswer(target: RequestTarget, status: number, retryAfterMs: number): AppError {
  return new AppError(
    'tracker_rate_limited',
    `${target.provider} target to slow down (status ${status}); the next request is sent in ${Math.ceil(retryAfterMs / 1000)} s.`,
    {
      hint: 'Wait, poll less often (polling.interval_ms), or give this worker a token of its own.',
      context: { retryAfterMs, status },
    },
  );
}

export function statusError(answer: RawAnswer, target: RequestTarget): AppError {
  const { status } = answer;
  const detail = detailOf(answer.text, target);
  return new AppError('tracker_status', `${describe(target)} answered with status ${status}${detail}.`, {
    hint: hintFor(status, target.provider),
    context: { status },
  });
}

function hintFor(status: number, provider: string): string {
  if (status === 401) return `${provider} does not accept the credential: check tracker.api_key.`;
  if (status === 403) return `The credential lacks the right: give it access to what tracker.* names.`;
  if (status === 404) return 'Check tracker.endpoint and the names under tracker and repo.';
  if (status >= 500) return `${provider} has a problem of its own; the next poll tries again.`;
  return 'Check tracker.endpoint and the tracker settings.';
}

/** What the provider says about it, in a few words. */
function detailOf(text: string, target: RequestTarget): string {
  const json = tryParse(text);
  if (!isRecord(json)) return '';
  const errors = Array.isArray(json['errors']) ? json['errors'] : [];
  const first = isRecord(errors[0]) ? errors[0]['message'] : undefined;
  const message = json['message'] ?? first;
  if (typeof message !== 'string' || message.trim() === '') return '';
  return `: ${target.redact(message.trim().replaceAll(/\s+/g, ' ')).slice(0, MAX_DETAIL_LENGTH)}`;
}

export function describe({ provider, method, path }: RequestTarget): string {
  return `${provider} (${method} ${path})`;
}

function tryParse(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}
