import { describe, expect, it } from 'vitest';
import { createAccess } from './access.ts';

interface World {
  fragment: string;
  stored: string | null;
  /** The token that may act now; undefined means that nobody answers. */
  valid: string | null | undefined;
  readonly codes: Map<string, string>;
}

function open(world: World) {
  const access = createAccess({
    fragment: () => world.fragment,
    clearFragment: () => {
      world.fragment = '';
    },
    storage: {
      getItem: () => world.stored,
      setItem: (_key, value) => {
        world.stored = value;
      },
      removeItem: () => {
        world.stored = null;
      },
    },
    async askMayAct() {
      if (world.valid === undefined) throw new Error('no answer');
      return world.valid !== null && access.token === world.valid;
    },
    async exchange(code) {
      const token = world.codes.get(code);
      world.codes.delete(code);
      if (token === undefined) throw new Error('used');
      return token;
    },
  });
  return access;
}

const world = (over: Partial<World> = {}): World => ({
  fragment: '',
  stored: null,
  valid: 'right',
  codes: new Map([['once', 'right']]),
  ...over,
});

describe('the right to act', () => {
  it.each([
    ['no token', world(), 'look', null],
    ['a link with the token', world({ fragment: '#token=right' }), 'act', 'right'],
    ['a link with a code', world({ fragment: '#code=once' }), 'act', 'right'],
    ['a code that was used', world({ fragment: '#code=twice' }), 'look', null],
    ['a wrong token', world({ fragment: '#token=wrong' }), 'look', null],
    ['a token of this tab', world({ stored: 'right' }), 'act', 'right'],
    ['a token of an earlier worker', world({ stored: 'old' }), 'look', null],
    ['an old token and a new link', world({ stored: 'old', fragment: '#token=right' }), 'act', 'right'],
    ['another fragment', world({ fragment: '#blocked' }), 'look', null],
    ['an empty token', world({ fragment: '#token=' }), 'look', null],
  ])('comes with %s: %s', async (_what, given, right, token) => {
    const access = open(given);
    expect(access.right).toBe('unknown');
    await access.check();
    expect([access.right, access.token, given.stored]).toEqual([right, token, token]);
    expect(given.fragment).toBe(given.fragment === '#blocked' ? '#blocked' : '');
  });

  it('is not lost by a second look while a code is exchanged', async () => {
    const given = world({ fragment: '#code=once' });
    const access = open(given);
    await Promise.all([access.check(), access.check()]);
    expect([access.right, given.stored]).toEqual(['act', 'right']);
  });

  it('stays through a silence of the worker, and goes when the worker no longer knows the token', async () => {
    const given = world({ fragment: '#token=right' });
    const access = open(given);
    await access.check();
    given.valid = undefined;
    await access.check();
    expect(access.right).toBe('act');
    given.valid = 'another';
    await access.check();
    expect([access.right, given.stored]).toEqual(['look', null]);
  });
});
