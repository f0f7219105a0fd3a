import { followEvents } from '../../../src/contract/follow.ts';
import { authorisedFetch, client } from '../access/browser-access.ts';
import { readInstant } from './instant.ts';
import { createStateFeed, type StateFeed } from './state-feed.ts';

/** How long the worker may take to answer a question. */
const ANSWER_MS = 10_000;

export function createBrowserFeed(): StateFeed {
  return createStateFeed({
    follow: (handlers, run) =>
      followEvents({
        baseUrl: '',
        fetch: authorisedFetch,
        setTimer,
        ...(run === null ? {} : { runs: [run] }),
        ...handlers,
      }),
    ask: () => client.state(AbortSignal.timeout(ANSWER_MS)),
    setTimer,
    now: readInstant,
  });
}

function setTimer(delayMs: number, callback: () => void): () => void {
  const handle = setTimeout(callback, delayMs);
  return () => clearTimeout(handle);
}

/** Tries at once when the page is looked at again or the network is back. Returns how to stop. */
export function wakeOnReturn(feed: StateFeed): () => void {
  const wake = (): void => {
    if (!document.hidden) feed.retryNow();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  return () => {
    document.removeEventListener('visibilitychange', wake);
    window.removeEventListener('online', wake);
  };
}
