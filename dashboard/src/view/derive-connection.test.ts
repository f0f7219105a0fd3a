import { describe, expect, it } from 'vitest';
import { emptyState } from '../../../test/integration/server/state-fixture.ts';
import type { Feed } from '../feed/state-feed.ts';
import { deriveConnection, isFresh } from './derive-connection.ts';

const GENERATED = Date.parse('2026-07-01T09:30:00Z');
/** The browser's clock is an hour ahead of the worker's. */
const RECEIVED = { wall: GENERATED + 3_600_000, steady: 10_000 };
const latest = { snapshot: emptyState(GENERATED), receivedAt: RECEIVED };
const unreachable = { code: 'unreachable', message: 'no answer' };

const after = (ms: number) => ({ wall: RECEIVED.wall + ms, steady: RECEIVED.steady + ms });
const view = (feed: Omit<Feed, 'via'> & Partial<Feed>, ms: number) =>
  deriveConnection({ via: 'stream', ...feed }, after(ms));

describe('deriveConnection', () => {
  it('connects first, and says so when that fails', () => {
    expect(view({ latest: null, failure: null }, 0)).toMatchObject({ kind: 'connecting', banner: null });
    const offline = view({ latest: null, failure: unreachable }, 0);
    expect(offline).toMatchObject({ kind: 'offline', age: null });
    expect(offline.banner?.title).toBe('The worker cannot be reached');
  });

  it('follows the clock of the worker, whatever the browser thinks the time is', () => {
    const live = view({ latest, failure: null }, 700);
    expect(live).toMatchObject({ kind: 'live', age: 'now', banner: null });
    expect(live.workerNow).toBe(GENERATED + 700);
  });

  it('takes one missed answer calmly, silence not', () => {
    expect(view({ latest, failure: unreachable }, 2_900).kind).toBe('live');
    const stale = view({ latest, failure: unreachable }, 42_000);
    expect(stale.kind).toBe('stale');
    expect(stale.banner?.title).toContain('42s ago');
  });

  it('says when the news come by asking, as long as they come', () => {
    const polling = view({ latest, via: 'polling', failure: null }, 2_000);
    expect(polling).toMatchObject({ kind: 'polling', label: 'Polling', workerNow: GENERATED + 2_000 });
    expect(polling.banner).toMatchObject({ severity: 'warning', title: 'Live stream unavailable, polling' });
    expect(isFresh(polling)).toBe(true);
    const stale = view({ latest, via: 'polling', failure: unreachable }, 9_000);
    expect([stale.kind, stale.banner?.severity, isFresh(stale)]).toEqual(['stale', 'error', false]);
  });

  it('stops the clock while cut off, so that nothing seems to go on', () => {
    expect(view({ latest, failure: unreachable }, 42_000).workerNow).toBe(GENERATED);
  });

  it('does not trust an old snapshot after the tab slept, even without a failure', () => {
    expect(view({ latest, failure: null }, 19_000).kind).toBe('live');
    expect(view({ latest, failure: null }, 3_600_000)).toMatchObject({ kind: 'stale', age: '1h ago' });
  });

  it('believes whichever clock says more time has passed', () => {
    const slept = { wall: RECEIVED.wall + 60_000, steady: RECEIVED.steady + 10 };
    const setBack = { wall: RECEIVED.wall - 86_400_000, steady: RECEIVED.steady + 60_000 };
    for (const now of [slept, setBack]) {
      expect(deriveConnection({ latest, via: 'stream', failure: unreachable }, now).age).toBe('1m ago');
    }
  });

  it.each([
    ['unauthorized', true],
    ['unexpected_answer', true],
    ['unreachable', false],
    ['internal_error', false],
  ])('offers a reload where one helps: %s', (code, offered) => {
    const failure = { code, message: 'the worker could not answer this request' };
    expect(view({ latest: null, failure }, 0).banner?.offerReload).toBe(offered);
  });
});
