import { createHash } from 'node:crypto';
import { AppError } from '../../errors/app-error.ts';

/** Leaves room for suffixes of our own under the 255 bytes a file name may have. */
const MAX_KEY_LENGTH = 120;
/** The worker's own directory under the root; no workspace may have this name in any spelling. */
export const RESERVED_NAME = '.aiops';

/**
 * The directory name of an issue: characters outside `[A-Za-z0-9._-]` become `_`. A name that had to change also gets
 * `--` and 16 hex digits of the original's SHA-256, so that two identifiers never share a directory.
 * Throws `invalid_workspace_cwd` for an identifier that names no directory of its own.
 */
export function workspaceKey(identifier: string): string {
  if (identifier === '' || identifier === '.' || identifier === '..') {
    throw new AppError(
      'invalid_workspace_cwd',
      `the identifier ${JSON.stringify(identifier)} names no workspace`,
      {
        hint: 'Give the issue an identifier with at least one letter or digit.',
      },
    );
  }
  const cleaned = cleanIdentifier(identifier);
  return cleaned === identifier ? identifier : withSuffix(cleaned, identifier);
}

/** The key used instead when `workspaceKey` is taken by another scope, repository or issue. */
export function alternativeKey(identifier: string, owner: readonly string[]): string {
  return withSuffix(cleanIdentifier(identifier), owner.join('\0'));
}

function cleanIdentifier(identifier: string): string {
  const cleaned = identifier.replace(/[^A-Za-z0-9._-]/gu, '_').slice(0, MAX_KEY_LENGTH);
  return cleaned.toLowerCase() === RESERVED_NAME ? `_${cleaned.slice(1)}` : cleaned;
}

function withSuffix(cleaned: string, original: string): string {
  return `${cleaned.slice(0, MAX_KEY_LENGTH - 18)}--${shortHash(original)}`;
}

/** The first 64 bits of a text's SHA-256, in hex. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
