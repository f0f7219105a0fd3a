import { useEffect, useSyncExternalStore } from 'react';
import type { Right } from './access.ts';
import { access } from './browser-access.ts';

/** What the one who looks may do now. */
export function useRight(): Right {
  return useSyncExternalStore(access.subscribe, () => access.right);
}

/** Asks anew for each life of the worker, and when a link is opened in this tab. */
export function useAccessCheck(workerStartedAt: string | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a worker that started again has another token.
  useEffect(() => {
    void access.check();
    const onLink = (): void => void access.check();
    window.addEventListener('hashchange', onLink);
    return () => window.removeEventListener('hashchange', onLink);
  }, [workerStartedAt]);
}
