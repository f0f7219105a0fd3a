import { formatAge, formatDuration } from '../../../src/contract/format.ts';
import { ASK_EVERY_MS } from '../feed/fallback.ts';
import { elapsedMs, type Instant } from '../feed/instant.ts';
import type { Feed } from '../feed/state-feed.ts';

export interface ConnectionView {
  readonly kind: 'connecting' | 'live' | 'polling' | 'stale' | 'offline';
  readonly label: string;
  /** How old what is shown is; null before anything is. */
  readonly age: string | null;
  /** The worker's clock to measure against. It stands still while we are cut off: nothing is made up. */
  readonly workerNow: number;
  /** Set while what is shown may no longer be true, or comes later than it should. */
  readonly banner: BannerView | null;
}

export interface BannerView {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly detail: string;
  readonly offerReload: boolean;
}

const POLLING: BannerView = {
  severity: 'warning',
  title: 'Live stream unavailable, polling',
  detail: `Something on the way, such as a proxy that buffers, holds the stream back. This page asks every ${ASK_EVERY_MS / 1000} seconds instead, and returns to the stream by itself.`,
  offerReload: false,
};

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
      banner: {
        severity: 'error',
        title: 'The worker cannot be reached',
        ...explain(failure.code, failure.message),
      },
    };
  }
  const age = elapsedMs(latest.receivedAt, now);
  const generatedAt = Date.parse(latest.snapshot.generated_at);
  const shownAge = formatAge(age / 1000);
  const stale = age > (failure === null ? SLEPT_MS : GRACE_MS);
  if (!stale) {
    const fresh = { age: shownAge, workerNow: generatedAt + age };
    return feed.via === 'polling'
      ? { kind: 'polling', label: 'Polling', ...fresh, banner: POLLING }
      : { kind: 'live', label: 'Live', ...fresh, banner: null };
  }
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
    banner: { severity: 'error', title, ...why },
  };
}

/** True while what is shown is how things stand. */
export function isFresh({ kind }: ConnectionView): boolean {
  return kind === 'live' || kind === 'polling';
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
    case 'operator_token_required':
      return {
        detail:
          'It shows itself only to who has its token. Run `aiops open`, or open the link that it printed at its start.',
        offerReload: false,
      };
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
