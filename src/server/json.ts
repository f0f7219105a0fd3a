import type { AppContext } from './app-env.ts';

/** An answer nobody may keep. */
export function json(c: AppContext, body: object, status: 200 | 202 = 200): Response {
  return c.json(body, status, { 'cache-control': 'no-store' });
}
