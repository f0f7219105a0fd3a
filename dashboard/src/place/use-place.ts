import { type MouseEvent, useMemo, useSyncExternalStore } from 'react';
import { type Place, type Query, readPlace, writeQuery } from './place.ts';

const MOVED = 'aiops:moved';

/** Where the page is now; follows links, the back button and `go`. */
export function usePlace(): Place {
  const address = useSyncExternalStore(
    (listener) => {
      window.addEventListener('popstate', listener);
      window.addEventListener(MOVED, listener);
      return () => {
        window.removeEventListener('popstate', listener);
        window.removeEventListener(MOVED, listener);
      };
    },
    () => `${location.pathname}${location.search}`,
  );
  return useMemo(() => {
    const [path = '/', search = ''] = address.split(/(?=\?)/);
    return readPlace(path, search);
  }, [address]);
}

/** The other workers that are followed are in the address wherever the page goes. */
function withWorkers(address: string): string {
  const url = new URL(address, location.origin);
  url.searchParams.delete('worker');
  for (const worker of new URLSearchParams(location.search).getAll('worker'))
    url.searchParams.append('worker', worker);
  return `${url.pathname}${url.search}`;
}

/** Another page of this page, one step in the history. */
export function go(wanted: string): void {
  const address = withWorkers(wanted);
  if (address === `${location.pathname}${location.search}`) return;
  history.pushState(null, '', address);
  window.dispatchEvent(new Event(MOVED));
  window.scrollTo(0, 0);
}

/** Changes choices in the address, without a step in the history. */
export function choose(changes: Query): void {
  const query = { ...Object.fromEntries(new URLSearchParams(location.search)), ...changes };
  history.replaceState(null, '', withWorkers(`${location.pathname}${writeQuery(query)}`));
  window.dispatchEvent(new Event(MOVED));
}

/** For a link inside the page: a plain click stays here, any other is the browser's. */
export function followHere(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(`${event.currentTarget.pathname}${event.currentTarget.search}`);
}
