import type { FetchLike } from '../../contract/client.ts';
import { failureFrom } from '../../contract/client.ts';
import type { StreamFetch } from '../../contract/follow.ts';
import { readForeignState } from '../../contract/foreign-state.ts';
import { type StateSnapshot, stateSnapshotSchema } from '../../contract/state.ts';

/** Where the worker is now, and what it lets us do. */
export interface Place {
  readonly baseUrl: string;
  readonly token?: string;
  readonly fetch: FetchLike & StreamFetch;
  /** Where people look at it in a browser; null when nothing listens. */
  readonly pageUrl: string | null;
  /** Why it takes no actions from here; null when it does. */
  readonly refusal: string | null;
}

export interface Clock {
  now(): number;
  setTimer(delayMs: number, callback: () => void): () => void;
}

/** The state of a worker, ours or another. Rejects with an error for people when there is none. */
export async function askState(
  place: Place,
  clock: Clock,
  patienceMs: number,
): Promise<{ readonly state: StateSnapshot; readonly foreign: boolean }> {
  const patience = new AbortController();
  const cancel = clock.setTimer(patienceMs, () => patience.abort());
  try {
    const response = await place.fetch(`${place.baseUrl}/api/v1/state`, {
      method: 'GET',
      headers: {
        accept: 'application/json',
        ...(place.token === undefined ? {} : { authorization: `Bearer ${place.token}` }),
      },
      signal: patience.signal,
      cache: 'no-store',
    });
    const text = await response.text();
    if (!response.ok) throw failureFrom(response.status, text);
    return readState(text, clock.now());
  } finally {
    cancel();
  }
}

function readState(text: string, now: number): { state: StateSnapshot; foreign: boolean } {
  const document = parseJson(text);
  const own = stateSnapshotSchema.safeParse(document);
  if (own.success) return { state: own.data, foreign: false };
  const foreign = readForeignState(document, now);
  if (foreign !== null) return { state: foreign, foreign: true };
  throw new Error('what answers there is no worker of a version that is known here');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
