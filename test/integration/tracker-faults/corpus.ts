import type { ErrorCode } from '../../../src/errors/codes.ts';

/** How an answer goes wrong, whoever gives it. */
export type WireFault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'reset' | 'hang' | 'cut' };

/** What the worker reads of a tracker. `terminal` asks for a finished issue by its id, as before a cleanup. */
export const READS = ['listing', 'refresh', 'terminal', 'blockers'] as const;
export type Read = (typeof READS)[number];

export interface FaultCase {
  readonly name: string;
  readonly fault: WireFault;
  /** The category of SPEC §11.4 that the call fails with, if it fails as a whole. */
  readonly code: ErrorCode;
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PAGE = '<!doctype html><title>502</title><h1>Bad gateway</h1>';
const LIMITED = '{"errors":[{"message":"Rate limit exceeded","extensions":{"code":"RATELIMITED"}}]}';
const LATER = String(Math.floor(Date.UTC(2200, 0, 1) / 1000));
const HUGE = `[${'"0123456789abcdef",'.repeat(900_000)}0]`;

function answered(
  name: string,
  code: ErrorCode,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): FaultCase {
  return { name, code, fault: { kind: 'answer', status, body, headers } };
}

/** Every tracker meets each of these, in every read. */
export const WIRE_FAULTS: readonly FaultCase[] = [
  answered('429 with Retry-After', 'tracker_rate_limited', 429, '{}', { 'retry-after': '3' }),
  answered('429 as a web page', 'tracker_rate_limited', 429, PAGE, HTML),
  answered('429 with a date', 'tracker_rate_limited', 429, '', {
    'retry-after': 'Thu, 01 Jan 2032 00:00:00 GMT',
  }),
  answered('403 with nothing left', 'tracker_rate_limited', 403, '{"message":"API rate limit exceeded"}', {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': LATER,
  }),
  answered(
    '403 of a secondary limit',
    'tracker_rate_limited',
    403,
    '{"message":"You have exceeded a secondary rate limit"}',
  ),
  answered('403 with Retry-After', 'tracker_rate_limited', 403, '{}', { 'retry-after': '60' }),
  answered('400 RATELIMITED', 'tracker_rate_limited', 400, LIMITED),
  answered('401', 'tracker_status', 401, '{"message":"Bad credentials"}'),
  answered('403 for lack of rights', 'tracker_status', 403, '{"message":"Resource not accessible"}'),
  answered('403 as a web page', 'tracker_status', 403, PAGE, HTML),
  answered('408', 'tracker_status', 408, '{}'),
  answered('409', 'tracker_status', 409, '{}'),
  answered('422', 'tracker_status', 422, '{"message":"Validation Failed"}'),
  answered('500', 'tracker_status', 500, '{"message":"oops"}'),
  answered('500 with nothing', 'tracker_status', 500, ''),
  answered('502 as a web page', 'tracker_status', 502, PAGE, HTML),
  answered('503', 'tracker_status', 503, '{}', { 'content-type': 'application/json' }),
  answered('504 as a web page', 'tracker_status', 504, PAGE, HTML),
  answered('302 to a log-in', 'tracker_status', 302, '', { location: 'https://login.example/' }),
  answered('307 to elsewhere', 'tracker_status', 307, '', { location: 'https://evil.example/' }),
  { name: 'a timeout', fault: { kind: 'hang' }, code: 'tracker_request' },
  { name: 'a reset', fault: { kind: 'reset' }, code: 'tracker_request' },
  { name: 'a connection cut in the middle', fault: { kind: 'cut' }, code: 'tracker_request' },
  answered('200 as a web page', 'tracker_response', 200, PAGE, HTML),
  answered('a web page that says it is JSON', 'tracker_response', 200, PAGE),
  answered('truncated JSON', 'tracker_response', 200, '[{"number":1,"title":"Iss'),
  answered('truncated data', 'tracker_response', 200, '{"data":{"issues":{"nodes":[{"id":"'),
  answered('huge JSON', 'tracker_response', 200, HUGE),
  answered('200 with nothing', 'tracker_response', 200, ''),
  answered('null', 'tracker_response', 200, 'null'),
  answered('a number', 'tracker_response', 200, '7'),
  answered('a text', 'tracker_response', 200, '"all is well"'),
  answered('an object with a message', 'tracker_response', 200, '{"message":"maintenance"}'),
  answered('data of a wrong type', 'tracker_response', 200, '{"data":7,"errors":"none"}'),
  answered('bytes that are no text', 'tracker_response', 200, '\u0000\ufffd\u0001'),
];
