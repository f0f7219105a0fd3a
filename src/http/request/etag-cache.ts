/** An answer that may be asked for again with `If-None-Match`. */
export interface CachedAnswer {
  readonly etag: string;
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
  readonly bytes: number;
}

export interface EtagCache {
  get(key: string): CachedAnswer | undefined;
  set(key: string, answer: CachedAnswer): void;
}

const MAX_ENTRIES = 500;
const MAX_BYTES = 32 * 1024 * 1024;

/** Keeps the answers used last. */
export function createEtagCache(maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES): EtagCache {
  const answers = new Map<string, CachedAnswer>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= answers.get(key)?.bytes ?? 0;
    answers.delete(key);
  }

  return {
    get(key) {
      const answer = answers.get(key);
      if (answer === undefined) return undefined;
      answers.delete(key);
      answers.set(key, answer);
      return answer;
    },
    set(key, answer) {
      forget(key);
      answers.set(key, answer);
      bytes += answer.bytes;
      for (const oldest of answers.keys()) {
        if (answers.size <= maxEntries && bytes <= maxBytes) break;
        forget(oldest);
      }
    },
  };
}
