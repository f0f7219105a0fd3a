import { useEffect, useState, useSyncExternalStore } from 'react';
import { wakeOnReturn } from './browser-feed.ts';
import { type Instant, readInstant } from './instant.ts';
import type { Feed, StateFeed } from './state-feed.ts';

/** Keeps the feed asking while the component is mounted. */
export function useFeed(stateFeed: StateFeed): Feed {
  useEffect(() => {
    const stop = stateFeed.start();
    const unhook = wakeOnReturn(stateFeed);
    return () => {
      unhook();
      stop();
    };
  }, [stateFeed]);
  return useSyncExternalStore(stateFeed.subscribe, stateFeed.get);
}

const TICK_MS = 500;

/** The current moment; renders again on every tick so that ages and countdowns move. */
export function useNow(): Instant {
  const [now, setNow] = useState(readInstant);
  useEffect(() => {
    const handle = setInterval(() => setNow(readInstant()), TICK_MS);
    return () => clearInterval(handle);
  }, []);
  return now;
}
