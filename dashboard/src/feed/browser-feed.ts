import { createClient } from '../../../src/contract/client.ts';
import { readInstant } from './instant.ts';
import { createStateFeed, type StateFeed } from './state-feed.ts';

const client = createClient({ baseUrl: '', fetch: (url, init) => fetch(url, init) });

export function createBrowserFeed(): StateFeed {
  return createStateFeed({
    fetchState: (signal) => client.state(signal),
    now: readInstant,
    isHidden: () => document.hidden,
    setTimer(delayMs, callback) {
      const handle = setTimeout(callback, delayMs);
      return () => clearTimeout(handle);
    },
  });
}

/** Asks the worker to look at its tracker now. */
export async function requestPoll(): Promise<void> {
  await client.refresh();
}

/** Asks at once when the page is looked at again or the network is back. Returns how to stop. */
export function wakeOnReturn(feed: StateFeed): () => void {
  const wake = (): void => {
    if (!document.hidden) feed.pollNow();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  return () => {
    document.removeEventListener('visibilitychange', wake);
    window.removeEventListener('online', wake);
  };
}
