import type { MiddlewareHandler } from 'hono';
import { API_ROUTES } from '../../contract/api.ts';
import { ACTION_HEADER } from '../../contract/refresh.ts';
import { AppError } from '../../errors/app-error.ts';
import { type AppContext, type AppEnv, peerAddress, rawPath } from '../app-env.ts';
import { isPagePath } from '../page-paths.ts';
import { authorises } from './credentials.ts';
import type { FailureLimit } from './failure-limit.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

const TOKEN_HINT = 'To reach it from elsewhere, set AIOPS_STATE_API_TOKEN on the worker and send that token.';

/** What a user set to open the surface; null means there is no such token. */
export interface UserTokens {
  /** For reading and acting. */
  readonly full: string | null;
  /** For reading only. */
  readonly readOnly: string | null;
}

export interface AccessTokens extends UserTokens {
  /** Made by the worker at its start, for its own user: for reading and acting. */
  readonly own: string | null;
  /** What needs a token from this machine while the user set none: acting, or everything but the bare page. */
  readonly required: 'actions' | 'all';
}

/**
 * Who may ask. With a token of the user: whoever sends it, or the worker's own. Without one: only this machine, and only
 * under a loopback name, so that a web page whose host name was pointed at 127.0.0.1 gets nothing; it may look, and
 * `requireOperator` keeps what acts for those who send the worker's own token.
 */
export function guardAccess(tokens: () => AccessTokens, failures: FailureLimit): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const accepted = tokens();
    if (accepted.full === null && accepted.readOnly === null) requireThisMachine(c, accepted);
    else requireToken(c, accepted, failures);
    await next();
  };
}

/** Agents are local processes too: what steers the worker needs more than being on its machine. */
export function requireOperator(c: AppContext): void {
  if (!c.get('mayAct')) throw operatorTokenRequired('to act on the worker takes its token');
}

/** The worker's own token is too long to be guessed, so nobody is made to wait: a neighbour could lock its user out. */
function requireThisMachine(c: AppContext, { own, required }: AccessTokens): void {
  requireLoopback(c);
  const mayAct = own !== null && authorises(c.req.header('authorization'), own);
  c.set('mayAct', mayAct);
  if (mayAct || required === 'actions' || isWayIn(c)) return;
  throw operatorTokenRequired('this worker asks for its token (server.require_token is all)');
}

function operatorTokenRequired(message: string): AppError {
  return new AppError('operator_token_required', message, {
    hint: 'Use the `aiops` commands as the user who runs the worker, or open the page with `aiops open`.',
  });
}

/** The page itself, which holds nothing, and the route that gives it the token for a code. */
function isWayIn(c: AppContext): boolean {
  const path = rawPath(c);
  return isPagePath(path) || path.startsWith('/assets/') || path === API_ROUTES.session.path;
}

function isReading(c: AppContext): boolean {
  return c.req.method === 'GET' || c.req.method === 'HEAD';
}

function requireToken(c: AppContext, { full, readOnly, own }: AccessTokens, failures: FailureLimit): void {
  const header = c.req.header('authorization');
  const peer = peerAddress(c) ?? 'unknown';
  const isOwn = own !== null && authorises(header, own);
  // A request without credentials is how a browser begins; it guesses nothing.
  if (header !== undefined && !isOwn) failures.check(peer);
  // Both are compared whatever the first says, so that time tells nothing.
  const isFull = full !== null && authorises(header, full);
  const mayRead = readOnly !== null && authorises(header, readOnly);
  c.set('mayAct', isFull || isOwn);
  if (isFull || isOwn) return;
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
  if (isReading(c)) return;
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

/** A header that a foreign web page cannot send without asking first. */
export function requireActionHeader(c: AppContext): void {
  if (c.req.header(ACTION_HEADER)?.trim().toLowerCase() === 'true') return;
  throw new AppError('action_header_required', 'an action needs the header X-AIOPS-Refresh', {
    hint: 'Send "X-AIOPS-Refresh: true".',
  });
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
