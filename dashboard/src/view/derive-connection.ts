import { elapsedMs, type Instant } from '../feed/instant.ts';
import type { Feed } from '../feed/state-feed.ts';
import { formatAge, formatDuration } from './format.ts';

export interface ConnectionView {
  readonly kind: 'connecting' | 'live' | 'stale' | 'offline';
  readonly label: string;
  /** How old what is shown is; null before anything is. */
  readonly age: string | null;
  /** The worker's clock to measure against. It stands still while we are cut off: nothing is made up. */
  readonly workerNow: number;
  /** Set while what is shown may no longer be true. */
  readonly banner: { readonly title: string; readonly detail: string; readonly offerReload: boolean } | null;
}

/** A failed question is no news yet; silence of this length is. */
const GRACE_MS = 3_000;
/** Without a failure: the tab slept and has not asked again yet. */
const SLEPT_MS = 20_000;

export function deriveConnection(feed: Feed, now: Instant): ConnectionView {
  const { latest, failure } = feed;
  if (latest === null) {
    if (failure === null) {
      return { kind: 'connecting', label: 'Connecting', age: null, workerNow: now.wall, banner: null };
    }
    return {
      kind: 'offline',
      label: 'Disconnected',
      age: null,
      workerNow: now.wall,
      banner: { title: 'The worker cannot be reached', ...explain(failure.code, failure.message) },
    };
  }
  const age = elapsedMs(latest.receivedAt, now);
  const generatedAt = Date.parse(latest.snapshot.generated_at);
  const shownAge = formatAge(age / 1000);
  const stale = age > (failure === null ? SLEPT_MS : GRACE_MS);
  if (!stale)
    return { kind: 'live', label: 'Live', age: shownAge, workerNow: generatedAt + age, banner: null };
  const title = `Disconnected: this is how things stood ${formatDuration(age / 1000)} ago`;
  const why =
    failure === null
      ? { detail: 'Asking again…', offerReload: false }
      : explain(failure.code, failure.message);
  return {
    kind: 'stale',
    label: 'Disconnected',
    age: shownAge,
    workerNow: generatedAt,
    banner: { title, ...why },
  };
}

function explain(code: string, message: string): { detail: string; offerReload: boolean } {
  switch (code) {
    case 'unreachable':
      return {
        detail: 'No answer. Is the worker still running? Trying again by itself.',
        offerReload: false,
      };
    case 'unauthorized':
      return { detail: 'The worker asks for its token. Reload this page to enter it.', offerReload: true };
    case 'unexpected_answer':
      return {
        detail: 'The answer is not one this page knows; the worker may be a newer version.',
        offerReload: true,
      };
    default:
      return { detail: `${capitalise(message)}. Trying again by itself.`, offerReload: false };
  }
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
