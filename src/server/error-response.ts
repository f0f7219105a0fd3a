import type { ErrorEnvelope } from '../contract/error.ts';
import { trackerIssueSchema } from '../contract/tracker-issues.ts';
import { AppError, messageOf } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import { type AppContext, rawPath } from './app-env.ts';

const CHALLENGE = 'Basic realm="aiops state API", charset="UTF-8"';

/** One that no browser answers with a dialog: the page has its own way to the token. */
const OPERATOR_CHALLENGE = 'Bearer realm="aiops operator"';

/** Turns whatever a handler threw into an answer: JSON under `/api/`, plain text elsewhere. */
export function answerError(error: unknown, c: AppContext, logger: Logger): Response {
  const failure = error instanceof AppError ? error : asInternalError(error, c, logger);
  return errorResponse(failure, rawPath(c), headersOf(failure));
}

function headersOf({ code, context }: AppError): Record<string, string> {
  if (code === 'unauthorized') return { 'www-authenticate': CHALLENGE };
  if (code === 'operator_token_required') return { 'www-authenticate': OPERATOR_CHALLENGE };
  const seconds = context['retryAfterSeconds'];
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
}

/** A 405 that names the methods the route has. */
export function methodNotAllowed(c: AppContext, allow: string): Response {
  const path = rawPath(c);
  const error = new AppError('method_not_allowed', `${path} does not take ${c.req.method}`, {
    hint: `Use ${allow.replace(', ', ' or ')}.`,
  });
  return errorResponse(error, path, { allow });
}

export function errorResponse(
  error: AppError,
  path: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const isApi = path === '/api' || path.startsWith('/api/');
  const type = isApi ? 'application/json' : 'text/plain; charset=utf-8';
  return new Response(isApi ? asJson(error) : asText(error), {
    status: error.httpStatus,
    headers: { 'content-type': type, 'cache-control': 'no-store', ...headers },
  });
}

function asJson(error: AppError): string {
  const hint = error.hint === null ? {} : { hint: error.hint };
  const current = trackerIssueSchema.safeParse(error.context['current']);
  const envelope: ErrorEnvelope = {
    error: { code: error.code, message: error.message, ...hint },
    ...(current.success ? { current: current.data } : {}),
  };
  return JSON.stringify(envelope);
}

function asText(error: AppError): string {
  return error.hint === null ? `${error.message}\n` : `${error.message}\n${error.hint}\n`;
}

/** Details of a bug go to the log, never to the client. */
function asInternalError(error: unknown, c: AppContext, logger: Logger): AppError {
  logger.error('request failed', { method: c.req.method, path: rawPath(c), error: messageOf(error) });
  return new AppError('internal_error', 'the worker could not answer this request', {
    hint: 'The worker log says why.',
    cause: error,
  });
}
