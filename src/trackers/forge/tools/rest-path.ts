import { ToolRefusal } from '../../../tools/tool-kit.ts';

const MAX_PATH_LENGTH = 2_000;
/** What a path may be written with before decoding: no query, fragment, matrix parameter, backslash or white space. */
const PLAIN = /^\/[A-Za-z0-9\-._~!$&'()*+,=:@%/]*$/;

/**
 * The decoded segments of a path an agent wrote. Decoding happens once and before anything is judged; whatever could
 * mean something else to the server than to this check is refused.
 */
export function parsePath(raw: unknown, prefixes: readonly string[]): readonly string[] {
  const text = typeof raw === 'string' ? raw.trim() : '';
  if (!PLAIN.test(text) || text.length > MAX_PATH_LENGTH) {
    throw refusePath('must be a plain path such as /repos/OWNER/NAME/issues/1; put a query into params');
  }
  const prefix = prefixes.find((candidate) => text === candidate || text.startsWith(`${candidate}/`)) ?? '';
  const segments = text.slice(prefix.length).split('/').slice(1);
  return segments.map(decodeSegment);
}

function decodeSegment(segment: string): string {
  if (segment === '') throw refusePath('has an empty part');
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw refusePath('is not properly encoded');
  }
  if (/%[0-9a-f]{2}/i.test(decoded)) throw refusePath('is encoded twice');
  if (/[\p{Cc}\p{Cf}\\]/u.test(decoded)) throw refusePath('has characters that no name has');
  const compatible = decoded.normalize('NFKC');
  const hidesSlash = compatible.includes('/') && !decoded.includes('/');
  const parts = compatible.split('/');
  if (hidesSlash || compatible.includes('\\') || parts.some((part) => /^\.*$/.test(part.trim())))
    throw refusePath('has a part that points elsewhere');
  return decoded;
}

export function refusePath(why: string): ToolRefusal {
  return new ToolRefusal('not_allowed', `The path ${why}.`);
}

/** An issue or pull request number as the forge writes it; null for anything else that it might read as one. */
export function parseNumber(segment: string): number | null {
  return /^[1-9]\d{0,9}$/.test(segment) ? Number(segment) : null;
}
