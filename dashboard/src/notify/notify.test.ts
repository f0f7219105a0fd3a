import { describe, expect, it } from 'vitest';
import { emptyState, richState } from '../../../test/integration/server/state-fixture.ts';
import { deriveNotices, type Notice } from './derive-notices.ts';
import { createNotifier, type Permission } from './notifier.ts';

function open(permission: Permission | null, kept: string | null = null) {
  const world = { permission, kept, answer: 'granted' as Permission, shown: [] as string[], breaks: false };
  const notifier = createNotifier({
    storage: {
      getItem: () => world.kept,
      setItem: (_key, value) => {
        world.kept = value;
      },
      removeItem: () => {
        world.kept = null;
      },
    },
    permission: () => world.permission,
    async request() {
      world.permission = world.answer;
      return world.answer;
    },
    show({ key }) {
      if (world.breaks) throw new TypeError('Illegal constructor');
      world.shown.push(key);
    },
  });
  return { world, notifier };
}

const notice = (key: string): Notice => ({ key, title: key, body: '', address: '/' });

describe('notifications', () => {
  it('tell once of what is new, and never of what was there before', async () => {
    const { world, notifier } = open('default');
    await notifier.toggle();
    expect(notifier.state).toEqual({ on: true, problem: null });
    notifier.see([notice('old')]);
    notifier.see([notice('old'), notice('new')]);
    notifier.see([notice('new')]);
    notifier.see([]);
    notifier.see([notice('old'), notice('new'), notice('next')]);
    expect(world.shown).toEqual(['new', 'next']);
  });

  it('are off until somebody wants them, and do not tell afterwards of what came before that', async () => {
    const { world, notifier } = open('granted');
    notifier.see([]);
    notifier.see([notice('a')]);
    await notifier.toggle();
    notifier.see([notice('a')]);
    expect(world.shown).toEqual([]);
    notifier.see([notice('a'), notice('b')]);
    await notifier.toggle();
    notifier.see([notice('c')]);
    expect(world.shown).toEqual(['b']);
    expect(world.kept).toBeNull();
  });

  it('are remembered, as long as the browser still allows them', () => {
    expect(open('granted', 'on').notifier.state.on).toBe(true);
    expect(open('denied', 'on').notifier.state.on).toBe(false);
    expect(open(null, 'on').notifier.state.on).toBe(false);
  });

  it('say why there are none', async () => {
    const refused = open('default');
    refused.world.answer = 'denied';
    await refused.notifier.toggle();
    expect(refused.notifier.state).toMatchObject({
      on: false,
      problem: expect.stringContaining('Allow notifications'),
    });
    const missing = open(null);
    await missing.notifier.toggle();
    expect(missing.notifier.state).toMatchObject({
      on: false,
      problem: expect.stringContaining('no notifications'),
    });
    const broken = open('granted', 'on');
    broken.world.breaks = true;
    broken.notifier.see([]);
    broken.notifier.see([notice('a')]);
    expect(broken.notifier.state).toMatchObject({
      on: false,
      problem: expect.stringContaining('no notifications'),
    });
  });

  it('are about issues that wait for a person, whom they did not stop themselves', () => {
    const now = Date.parse('2026-07-01T09:30:00Z');
    const rich = richState(now);
    expect(deriveNotices(emptyState(now))).toEqual([]);
    const [first, ...others] = rich.blocked;
    if (first === undefined) throw new Error('the sample has no blocked issue');
    const asks = { ...first, method: 'x', question: 'y'.repeat(300) };
    const [told, ...more] = deriveNotices({
      ...rich,
      blocked: [asks, ...others.map((row) => ({ ...row, method: 'operator' }))],
    });
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      title: `${first.issue_identifier}: Asks a question`,
      body: `${'y'.repeat(200)}…`,
      address: `/?q=${first.issue_identifier}`,
    });
  });
});
