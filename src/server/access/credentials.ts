import { createHash, timingSafeEqual } from 'node:crypto';

/** The user name that goes with the token in HTTP Basic. */
const BASIC_USER = 'aiops';

/** True when an Authorization header carries the token, as Bearer or as the password of user `aiops`. */
export function authorises(header: string | undefined, token: string): boolean {
  const match = /^(\S+) +(\S+) *$/.exec(header ?? '');
  const scheme = match?.[1]?.toLowerCase();
  const credentials = match?.[2] ?? '';
  if (scheme === 'bearer') return sameText(credentials, token);
  if (scheme === 'basic')
    return sameText(Buffer.from(credentials, 'base64').toString('utf8'), `${BASIC_USER}:${token}`);
  return false;
}

/** Takes the same time wherever the texts differ, and whatever their lengths. */
function sameText(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
