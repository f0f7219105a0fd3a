import { createHash } from 'node:crypto';

const MAX_REMEMBERED = 10_000;

/** Remembers configurations in which everything was as the worker wants it, so that nobody reads them again. */
export interface SettledConfigs {
  /** True when just this text was found to hold what is wanted. */
  has(text: string, wanted: unknown): boolean;
  add(text: string, wanted: unknown): void;
}

export function createSettledConfigs(): SettledConfigs {
  const hashes = new Set<string>();
  return {
    has: (text, wanted) => hashes.has(hashOf(text, wanted)),
    add(text, wanted) {
      const [oldest] = hashes;
      if (hashes.size >= MAX_REMEMBERED && oldest !== undefined) hashes.delete(oldest);
      hashes.add(hashOf(text, wanted));
    },
  };
}

function hashOf(text: string, wanted: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([wanted, text]))
    .digest('base64');
}
