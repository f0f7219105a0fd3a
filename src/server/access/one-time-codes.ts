import { createHash, randomBytes } from 'node:crypto';

const CODE_BYTES = 16;
const VALID_MS = 60_000;
const MAX_CODES = 50;

/** Codes that stand for the worker's token: each for one use, within a minute. They may show where a token must not. */
export class OneTimeCodes {
  readonly #now: () => number;
  /** Until when each may be used, by its digest, oldest first. */
  readonly #codes = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  make(): { readonly code: string; readonly expiresAt: number } {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const expiresAt = this.#now() + VALID_MS;
    this.#codes.set(digest(code), expiresAt);
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MAX_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return { code, expiresAt };
  }

  /** True the first time a code is shown in time. */
  use(code: string): boolean {
    const key = digest(code);
    const expiresAt = this.#codes.get(key);
    this.#codes.delete(key);
    return expiresAt !== undefined && this.#now() <= expiresAt;
  }
}

/** Looked up by digest, so that the time a look takes tells nothing about a code. */
function digest(code: string): string {
  return createHash('sha256').update(code, 'utf8').digest('hex');
}
