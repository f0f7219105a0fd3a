import { AppError, messageOf } from '../../errors/app-error.ts';
import type { SentError } from './messages.ts';

export function describeError(error: unknown): SentError {
  const message = messageOf(error);
  if (error instanceof AppError)
    return { code: error.code, errno: null, message, hint: error.hint, context: plain(error.context) };
  const errno =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { code: null, errno, message, hint: null, context: {} };
}

export function reviveError({ code, errno, message, hint, context }: SentError): Error {
  if (code !== null) return new AppError(code, message, { ...(hint === null ? {} : { hint }), context });
  return errno === null ? new Error(message) : Object.assign(new Error(message), { code: errno });
}

/** What can cross between processes; the rest as text. */
export function plain(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: unknown): unknown {
  if (value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)) return value;
  try {
    return structuredClone(value);
  } catch {
    return messageOf(value);
  }
}
