import { useEffect, useSyncExternalStore } from 'react';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { go } from '../place/use-place.ts';
import { deriveNotices } from './derive-notices.ts';
import { createNotifier, type NotifierState } from './notifier.ts';

export const notifier = createNotifier({
  storage: localStorage,
  permission: () => ('Notification' in window && window.isSecureContext ? Notification.permission : null),
  request: () => Notification.requestPermission(),
  show({ key, title, body, address }) {
    // The tag: several tabs, or workers started anew, make one notification of one event.
    const shown = new Notification(title, { body, tag: key });
    shown.onclick = () => {
      window.focus();
      go(address);
      shown.close();
    };
  },
});

export function useNotifierState(): NotifierState {
  return useSyncExternalStore(notifier.subscribe, () => notifier.state);
}

/** Tells of what begins to wait for a person while the page is open, seen or not. */
export function useNotices(snapshot: StateSnapshot | null): void {
  useEffect(() => {
    if (snapshot !== null) notifier.see(deriveNotices(snapshot));
  }, [snapshot]);
}
