import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import { current, makeIssue, SchedulerFixture } from '../../fakes/scheduler-fixture.ts';

const idle = (options = {}): SchedulerFixture => new SchedulerFixture(options).start();
const many = { maxConcurrentAgents: 10 };

describe('eligibility', () => {
  it.each(['id', 'identifier', 'title', 'state'] as const)(
    'needs a %s that is not blank (R-8.2-a)',
    (field) => {
      const fixture = idle({ activeSet: new Set(['todo', '']) });
      expect(fixture.list(makeIssue('x', { [field]: '  ' })).started).toEqual([]);
      expect(fixture.poll([], [makeIssue('x')]).started).toEqual(['x']);
    },
  );

  it.each([
    ['neither active nor terminal', 'Backlog'],
    ['terminal', 'Canceled'],
    ['terminal and active at once', 'Done'],
  ])('refuses a state that is %s (R-8.2-b)', (_name, state) => {
    const fixture = idle({ activeSet: new Set(['todo', 'done']) });
    expect(fixture.list(makeIssue('x', { state })).started).toEqual([]);
  });

  it('compares states trimmed and in lower case (R-4.2-g, R-5.3.1-l)', () => {
    const fixture = idle(many).list(makeIssue('a', { state: ' TODO ' }), makeIssue('b', { state: 'dOnE' }));
    expect(fixture.started).toEqual(['a']);
  });

  it('refuses what the adapter calls undispatchable (R-8.2-c, R-17.4-b)', () => {
    const fixture = idle().list(makeIssue('x', { dispatchable: false }), makeIssue('y'));
    expect(fixture.started).toEqual(['y']);
  });

  it('needs every required label (R-8.2-d, R-5.3.1-h)', () => {
    const fixture = idle({ ...many, requiredLabels: ['ready', 'ai'] }).list(
      makeIssue('both', { labels: ['ai', 'ready', 'other'] }),
      makeIssue('one', { labels: ['ready'] }),
      makeIssue('none'),
    );
    expect(fixture.started).toEqual(['both']);
  });

  it('routable is dispatchable with its labels and nothing else (R-8.2-i)', () => {
    const odd: Partial<Issue> = {
      labels: ['ready'],
      priority: -3,
      assigneeId: 'somebody',
      blockedBy: [{ id: 'y', identifier: 'Y', state: 'Todo' }],
      nativeRef: { archived: true },
    };
    const fixture = idle({ requiredLabels: ['ready'] }).list(makeIssue('x', odd));
    expect(fixture.started).toEqual(['x']);
    fixture.send({ type: 'poll_requested' }).refresh({ x: current(makeIssue('x', odd)) });
    expect(fixture.sent('stop_run')).toEqual([]);
    for (const lacking of [{ labels: [] }, { dispatchable: false }]) {
      const refused = idle({ requiredLabels: ['ready'] }).list(makeIssue('x', { ...odd, ...lacking }));
      expect(refused.started).toEqual([]);
    }
  });

  it('dispatchable alone is not enough: state, labels, claims and slots still decide (R-4.1.1-l, R-11.1-e)', () => {
    const ready = { labels: ['ready'] };
    const fixture = idle({ requiredLabels: ['ready'], maxConcurrentAgents: 2 }).list(
      makeIssue('inactive', { ...ready, state: 'Backlog', priority: 1 }),
      makeIssue('unlabelled', { priority: 1 }),
      makeIssue('a', ready),
      makeIssue('b', ready),
      makeIssue('c', ready),
    );
    expect(fixture.started).toEqual(['a', 'b']);
  });
});

describe('order', () => {
  it('priorities 1 to 4 ascend; 0, negatives, 5 and more and none share the last place (R-8.2-j, R-11.3-e)', () => {
    const priorities = { p4: 4, p0: 0, none: null, p1: 1, minus: -1, p9: 9, p3: 3, p2: 2 };
    const fixture = idle(many).list(
      ...Object.entries(priorities).map(([id, priority]) => makeIssue(id, { priority })),
    );
    expect(fixture.started).toEqual(['p1', 'p2', 'p3', 'p4', 'minus', 'none', 'p0', 'p9']);
  });

  it('then the oldest, without a date last, then the identifier (R-8.2-k, R-8.2-l, R-17.4-a, R-16.2-b)', () => {
    const fixture = idle(many).list(
      makeIssue('undated', { priority: 1 }),
      makeIssue('late', { priority: 1, createdAt: '2026-02-01T00:00:00Z' }),
      makeIssue('b', { priority: 1, createdAt: '2026-01-01T00:00:00Z' }),
      makeIssue('urgent-late', { priority: 1, createdAt: '2026-03-01T00:00:00Z' }),
      makeIssue('a', { priority: 1, createdAt: '2026-01-01T00:00:00Z' }),
      makeIssue('less', { priority: 2, createdAt: '2020-01-01T00:00:00Z' }),
    );
    expect(fixture.started).toEqual(['a', 'b', 'late', 'urgent-late', 'undated', 'less']);
    for (const { run } of fixture.sent('start_run')) expect(run.attempt).toBeNull();
  });
});

describe('slots', () => {
  it('are the limit less the running, and never below zero (R-8.3-a, R-8.2-g)', () => {
    const [a, b, c] = [makeIssue('a'), makeIssue('b'), makeIssue('c')];
    const fixture = idle({ maxConcurrentAgents: 2 }).list(a, b, c);
    expect(fixture.started).toEqual(['a', 'b']);
    fixture.settings = { ...fixture.settings, maxConcurrentAgents: 1 };
    expect(fixture.poll([a, b], [a, b, c]).started).toEqual([]);
    fixture.turn('a', 1, current({ ...a, state: 'Backlog' })).end('a');
    expect(fixture.phase('c')).toBeNull();
  });

  it('a full state does not hold back other states (R-8.2-h, R-8.3-b)', () => {
    const fixture = idle({ ...many, maxConcurrentByState: new Map([['todo', 1]]) }).list(
      makeIssue('a', { priority: 1 }),
      makeIssue('b', { priority: 2 }),
      makeIssue('c', { priority: 3, state: 'In Progress' }),
    );
    expect(fixture.started).toEqual(['a', 'c']);
  });

  it('a limit for a state never widens the global one (R-8.3-b)', () => {
    const fixture = idle({ maxConcurrentAgents: 1, maxConcurrentByState: new Map([['todo', 5]]) });
    expect(fixture.list(makeIssue('a'), makeIssue('b')).started).toEqual(['a']);
  });
});

describe('identity', () => {
  it('everything is kept by the opaque id, never by identifier or native_ref (R-4.1.1-b, R-4.2-a, R-4.2-b)', () => {
    const item = makeIssue('PVTI_lADO/x 7', { identifier: 'ENG-7', nativeRef: { id: 'ticket-7' } });
    const fixture = idle().list(item);
    expect([...fixture.state.claims.keys()]).toEqual([item.id]);
    expect([...fixture.state.records.keys()]).toEqual([item.id]);
    fixture.send({ type: 'poll_requested' });
    expect(fixture.sent('refresh_issues')[0]?.ids).toEqual([item.id]);
    const twin = { ...item, id: 'PVTI_other' };
    fixture.refresh({ [item.id]: current(item) }).list(item, twin);
    expect(fixture.started).toEqual([twin.id]);
  });

  it('a second look at a listing that changed: running and claimed were checked (R-7.4-b)', () => {
    const a = makeIssue('a');
    const fixture = idle().list(a, a);
    expect(fixture.started).toEqual(['a']);
    expect(fixture.poll([a]).started).toEqual([]);
    fixture.end('a', { kind: 'input_required', method: 'ask', question: 'Which?' });
    expect(fixture.poll([a]).started).toEqual([]);
  });
});
