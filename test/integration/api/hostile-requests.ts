import type { Random } from '../../simulation/random.ts';
import type { AskOptions } from '../server/ask.ts';

export interface HostileRequest {
  readonly path: string;
  readonly options: AskOptions;
  /** False for a request that may be answered like an honest one. */
  readonly mustFail: boolean;
}

const PATHS = [
  '/',
  '/api/v1/state',
  '/api/v1/refresh',
  '/api/v1/events',
  '/api/v1/runs',
  '/api/v1/history',
  '/api/v1/actions',
  '/api/v1/actions/pause',
  '/api/v1/actions/stop',
  '/api/v1/actions/answer',
  '/api/v1/openapi.json',
  '/metrics',
  '/assets/',
  '/api/v1/issues/',
  '/api/v1/runs/secret-plan/diff',
  '/api/v1/runs/secret-plan/events',
  '/api/v1/tracker/issues',
  '/api/v1/tracker/issues/secret-plan',
  '/api/v1/tracker/issues/secret-plan/move',
  '/api/v1/webhooks/github',
  '/api/v1/',
  '/api/',
] as const;
const TRAVERSALS = [
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e/%2e%2e/etc/passwd',
  '....//....//etc/passwd',
  '%c0%ae%c0%ae/etc/passwd',
  '..\\..\\etc\\passwd',
  '%00',
  '%',
  '%zz',
  '%F0%28%8C%BC',
  'x'.repeat(3_000),
  '.git/config',
  '__proto__',
  'constructor',
  '{{7*7}}',
  "'; DROP TABLE runs; --",
  '%0d%0aSet-Cookie:%20a=b',
  '\u202Egnp.exe',
];
const QUERIES = [
  '',
  '?limit=-1',
  '?limit=1e9',
  '?limit=NaN',
  '?limit=9999999999999999999999',
  '?after=0x10',
  '?points=0',
  '?bucket=century',
  '?outcome=__proto__',
  '?before=%00',
  `?runs=${'a,'.repeat(500)}`,
  '?last_event_id=00000000-999999999999999',
  '?issue[]=1&issue[]=2',
  `?q=${'%41'.repeat(800)}`,
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"issue":{"$ne":null}}',
  '{"issue":"secret-plan","__proto__":{"admin":true}}',
  '{"issue":"secret-plan","by":"\\u0000"}',
  '{"issue":"../../x","text":"y"}',
  `{"issue":"${'i'.repeat(600)}"}`,
  `${'['.repeat(20_000)}`,
  ' '.repeat(300_000),
  '\uFEFF{}',
];
const HOSTS = [
  '127.0.0.1:4000',
  'evil.example',
  'localhost.evil.example:4000',
  '[::1',
  '127.0.0.1@evil.example',
  '0',
];
const AUTHORIZATIONS = [
  'Bearer x',
  'Basic !!!',
  'Basic YWlvcHM6eA==',
  `Bearer ${'t'.repeat(5_000)}`,
  'Digest username="aiops"',
];

/** A request that no honest client sends; the same numbers make the same request. */
export function hostileRequest(random: Random): HostileRequest {
  const method = random.pick(METHODS);
  const host = random.pick(HOSTS);
  const base = random.pick(PATHS);
  const tail = base.endsWith('/') || random.chance(0.3) ? random.pick(TRAVERSALS) : '';
  const path = `${base}${tail === '' || base.endsWith('/') ? '' : '/'}${tail}${random.pick(QUERIES)}`;
  const headers: Record<string, string> = {};
  if (random.chance(0.3)) headers['authorization'] = random.pick(AUTHORIZATIONS);
  if (random.chance(0.3)) headers['origin'] = random.pick(['https://evil.example', 'null', 'file://', 'x']);
  if (random.chance(0.2)) headers['sec-fetch-site'] = 'cross-site';
  if (random.chance(0.2)) headers['x-aiops-refresh'] = random.pick(['TRUE ', '1', 'false']);
  if (random.chance(0.1)) headers['x-forwarded-for'] = '127.0.0.1';
  if (random.chance(0.1)) headers['last-event-id'] = random.pick(['-1', 'ffffffff-1', 'x'.repeat(500)]);
  if (random.chance(0.1)) headers['idempotency-key'] = 'k'.repeat(1_000);
  const acts = method !== 'GET' && method !== 'HEAD';
  // An honest action would be carried out; these are never honest.
  if (acts && headers['x-aiops-refresh'] === 'TRUE ') headers['origin'] = 'https://evil.example';
  const peer = random.pick(['127.0.0.1', '127.0.0.1', '::1', '192.0.2.7', null]);
  const withBody = acts && method !== 'OPTIONS';
  return {
    path,
    options: { method, host, headers, peer, ...(withBody ? { body: random.pick(BODIES) } : {}) },
    mustFail: acts || host !== '127.0.0.1:4000' || tail !== '',
  };
}
