import type { Secret } from '../../config/resolve/secret.ts';
import { AppError } from '../../errors/app-error.ts';

/** A header value with a line break would be refused by fetch in a message that quotes it. */
export function checkedHeader(authorization: Secret, provider: string): string {
  const value = authorization.reveal();
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(value)) return value;
  throw new AppError(
    'missing_tracker_secret',
    `The credential for ${provider} is empty or has characters no key has.`,
    {
      hint: 'Set it again without line breaks, quotes or spaces around it.',
    },
  );
}

/** Whole addresses must lie under the base, so that the credential goes nowhere else. */
export function addressOf(baseUrl: string, path: string, provider: string): URL {
  const base = new URL(baseUrl);
  const folder = base.pathname.replace(/\/+$/, '');
  const url = /^https?:\/\//i.test(path) ? new URL(path) : new URL(`${base.origin}${folder}${path}`);
  const inside =
    url.pathname === folder || url.pathname === base.pathname || url.pathname.startsWith(`${folder}/`);
  if (url.origin === base.origin && inside && url.username === '' && url.password === '') return url;
  throw new AppError('tracker_response', `${provider} named an address outside its API (${url.origin}).`, {
    hint: 'Check tracker.endpoint: it must be the address the tracker itself uses.',
  });
}
