import type { AppContext } from './app-env.ts';

/** A JSON response that browsers and proxies must not cache. */
export function json(c: AppContext, body: object, status: 200 | 201 | 202 = 200): Response {
  return c.json(body, status, { 'cache-control': 'no-store' });
}
