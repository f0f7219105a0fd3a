import { describe, expect, it } from 'vitest';
import { emptyState } from '../../../test/integration/server/state-fixture.ts';
import { deriveTabs, readWorkers } from './derive-workers.ts';

const OWN = 'http://127.0.0.1:4001';

describe('several workers', () => {
  it('are those that the address names, each once', () => {
    const search = new URLSearchParams([
      ['worker', 'http://127.0.0.1:4002/history?x=1'],
      ['worker', 'http://127.0.0.1:4002'],
      ['worker', OWN],
      ['worker', 'javascript:alert(1)'],
      ['worker', 'file:///etc/passwd'],
      ['worker', 'nonsense'],
      ['q', 'http://127.0.0.1:4009'],
    ]);
    expect(readWorkers(`?${search}`, OWN)).toEqual(['http://127.0.0.1:4002']);
    expect(readWorkers('', OWN)).toEqual([]);
  });

  it('have a tab each, which leads to a page with the same tabs', () => {
    const state = emptyState(0);
    const told = new Map([[OWN, { ...state, counts: { ...state.counts, blocked: 2 } }]]);
    const tabs = deriveTabs(OWN, ['http://127.0.0.1:4000'], told);
    expect(tabs).toEqual([
      {
        origin: 'http://127.0.0.1:4000',
        address: 'http://127.0.0.1:4000/?worker=http%3A%2F%2F127.0.0.1%3A4001',
        name: '127.0.0.1:4000',
        isHere: false,
        needsYou: null,
      },
      {
        origin: OWN,
        address: `${OWN}/?worker=http%3A%2F%2F127.0.0.1%3A4000`,
        name: 'demo',
        isHere: true,
        needsYou: 2,
      },
    ]);
    const there = readWorkers(new URL(tabs[0]?.address ?? '').search, 'http://127.0.0.1:4000');
    expect(deriveTabs('http://127.0.0.1:4000', there, told).map(({ origin }) => origin)).toEqual(
      tabs.map(({ origin }) => origin),
    );
  });
});
