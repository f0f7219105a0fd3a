import { useEffect, useMemo, useState } from 'react';
import { createClient } from '../../../src/contract/client.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { deriveTabs, readWorkers, type Told, type WorkerTab } from './derive-workers.ts';

const ASK_EVERY_MS = 5_000;
const ANSWER_MS = 4_000;

/** The workers that the address names, with what waits for a person at each. Nothing when there is but one. */
export function WorkerTabs({ snapshot }: { snapshot: StateSnapshot | null }) {
  const others = useMemo(() => readWorkers(location.search, location.origin), []);
  const told = useOthers(others);
  if (others.length === 0) return null;
  const tabs = deriveTabs(location.origin, others, new Map([...told, [location.origin, snapshot]]));
  return (
    <nav className="workers" aria-label="Workers">
      {tabs.map((tab) => (
        <Tab key={tab.origin} tab={tab} />
      ))}
    </nav>
  );
}

function Tab({ tab: { origin, address, name, isHere, needsYou } }: { tab: WorkerTab }) {
  const unknown = `${origin} does not answer this page; its address and this one belong in server.allowed_origins of both`;
  return (
    <a
      href={address}
      aria-current={isHere ? 'page' : undefined}
      title={needsYou === null ? unknown : origin}
      data-worker={origin}
    >
      <bdi>{name}</bdi>{' '}
      {needsYou === null ? (
        <span className="worker-count">?</span>
      ) : (
        <span className={needsYou > 0 ? 'worker-count worker-calls' : 'worker-count'}>
          {needsYou}
          <span className="visually-hidden"> {needsYou === 1 ? 'needs' : 'need'} you</span>
        </span>
      )}
    </a>
  );
}

/** Asks each of them from time to time. No token goes along: it belongs to the page of its own worker. */
function useOthers(others: readonly string[]): ReadonlyMap<string, Told> {
  const [told, setTold] = useState<ReadonlyMap<string, Told>>(new Map());
  useEffect(() => {
    const ask = async (origin: string): Promise<void> => {
      const client = createClient({ baseUrl: origin, fetch: (url, init) => fetch(url, init) });
      const state = await client.state(AbortSignal.timeout(ANSWER_MS)).catch(() => null);
      setTold((before) => new Map(before).set(origin, state));
    };
    const askAll = (): void => {
      for (const origin of others) void ask(origin);
    };
    askAll();
    const handle = setInterval(askAll, ASK_EVERY_MS);
    return () => clearInterval(handle);
  }, [others]);
  return told;
}
