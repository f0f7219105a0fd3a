import { getRequestListener } from '@hono/node-server';
import { AppError } from '../../errors/app-error.ts';
import type { App } from '../app.ts';
import { errorResponse } from '../error-response.ts';
import { SECURITY_HEADERS } from '../security-headers.ts';

/** Carries what Node's server receives to the app, and its answer back. */
export function createRequestListener(app: App, host: string): ReturnType<typeof getRequestListener> {
  return getRequestListener((request, env) => app.fetch(request, env), {
    hostname: host,
    overrideGlobalObjects: false,
    errorHandler: (error) => malformed(error),
  });
}

function malformed(cause: unknown): Response {
  const error = new AppError('invalid_request', 'this is not a request the worker can read', { cause });
  return errorResponse(error, '/', SECURITY_HEADERS);
}
