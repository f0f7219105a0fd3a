import type { MiddlewareHandler } from 'hono';
import { AppError } from '../errors/app-error.ts';
import { type AppContext, type AppEnv, peerAddress } from './app-env.ts';
import { authorises } from './credentials.ts';
import type { FailureLimit } from './failure-limit.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

const TOKEN_HINT = 'To reach it from elsewhere, set AIOPS_STATE_API_TOKEN on the worker and send that token.';

/** What opens the surface; null means there is no such token. */
export interface AccessTokens {
  /** For reading and acting. */
  readonly full: string | null;
  /** For reading only. */
  readonly readOnly: string | null;
}

/**
 * Who may ask. With a token: whoever sends it. Without one: only this machine, and only under a loopback name, so
 * that a web page whose host name was pointed at 127.0.0.1 gets nothing.
 */
export function guardAccess(tokens: () => AccessTokens, failures: FailureLimit): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { full, readOnly } = tokens();
    if (full === null && readOnly === null) requireLoopback(c);
    else requireToken(c, { full, readOnly }, failures);
    await next();
  };
}

function requireToken(c: AppContext, { full, readOnly }: AccessTokens, failures: FailureLimit): void {
  const header = c.req.header('authorization');
  const peer = peerAddress(c) ?? 'unknown';
  // A request without credentials is how a browser begins; it guesses nothing.
  if (header !== undefined) failures.check(peer);
  // Both are compared whatever the first says, so that time tells nothing.
  const mayAct = full !== null && authorises(header, full);
  const mayRead = readOnly !== null && authorises(header, readOnly);
  if (mayAct) return;
  if (mayRead) {
    requireReading(c);
    return;
  }
  if (header !== undefined) failures.note(peer);
  throw new AppError('unauthorized', 'this worker asks for a token', {
    hint: 'Send AIOPS_STATE_API_TOKEN as "Authorization: Bearer <token>", or as the password of user "aiops".',
  });
}

function requireReading(c: AppContext): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return;
  throw new AppError('read_only_token', 'this token may look but not act', {
    hint: 'Send the token of AIOPS_STATE_API_TOKEN.',
  });
}

function requireLoopback(c: AppContext): void {
  if (!isLoopbackHost(c.req.header('host') ?? '')) {
    throw new AppError(
      'misdirected_request',
      'misdirected request: without a token only localhost is served',
      {
        hint: TOKEN_HINT,
      },
    );
  }
  const peer = peerAddress(c);
  if (peer === null || !isLoopbackAddress(peer)) {
    throw new AppError('forbidden', 'without a token only this machine is served', { hint: TOKEN_HINT });
  }
}

/** Refuses an action asked for by a page of another site. Programs other than browsers send no Origin. */
export function requireSameOrigin(c: AppContext): void {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (!foreignSite && (origin === undefined || hostOf(origin) === c.req.header('host')?.toLowerCase()))
    return;
  throw new AppError('forbidden', 'cross-origin requests may not act on the worker', {
    hint: 'Use the page the worker itself serves, the CLI, or a program that sends no Origin header.',
  });
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
