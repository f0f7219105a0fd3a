import type { MiddlewareHandler } from 'hono';
import { API_ROUTES } from '../../contract/api.ts';
import { type AppEnv, rawPath } from '../app-env.ts';

/**
 * Lets pages of these origins read the state, as far as a request without a token may: other workers' pages show how many
 * issues wait here. Nothing else is opened to them, no other address and no action.
 */
export function letForeignPagesRead(origins: () => readonly string[]): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    const origin = c.req.header('origin');
    if (origin === undefined || rawPath(c) !== API_ROUTES.state.path || !origins().includes(origin)) return;
    c.res.headers.set('access-control-allow-origin', origin);
    c.res.headers.append('vary', 'origin');
  };
}
