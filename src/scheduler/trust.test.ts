import { describe, expect, it } from 'vitest';
import { current, makeIssue, SchedulerFixture, unknown } from '../../test/fakes/scheduler-fixture.ts';
import type { Issue } from '../domain/issue.ts';
import { explainWaiting } from './explain/explain.ts';

const trust = { authors: ['ada'], associations: ['owner'], labels: ['approved'] };
const by = (name: string, association: string | null = null): Pick<Issue, 'author'> => ({
  author: { names: [name], association },
});
const gated = (): SchedulerFixture => new SchedulerFixture({ trust, maxConcurrentAgents: 9 }).start();

describe('the trust gate', () => {
  it('starts what is trusted, and only that, and says of the rest why it waits', () => {
    const fixture = gated().list(
      makeIssue('mine', by('Ada')),
      makeIssue('owners', by('zoe', 'OWNER')),
      makeIssue('vouched', { ...by('mallory', 'NONE'), labels: ['approved'] }),
      makeIssue('strange', { ...by('mallory', 'NONE'), priority: 1 }),
      makeIssue('unsigned', { author: null }),
      makeIssue('blocked', { ...by('mallory'), dispatchable: false, undispatchableReason: 'blocked by X' }),
    );
    expect(fixture.started.toSorted()).toEqual(['mine', 'owners', 'vouched']);
    const waiting = explainWaiting(fixture.state, fixture.settings, fixture.now);
    expect(Object.fromEntries(waiting.map(({ issue, reason }) => [issue.id, reason]))).toEqual({
      strange: expect.stringContaining('not trusted: written by mallory (NONE)'),
      unsigned: expect.stringContaining('nobody knows who wrote it'),
      blocked: expect.stringContaining('not trusted: written by mallory,'),
    });
  });

  it('looks again at the last moment: what lost its label meanwhile does not start', () => {
    const [first, next] = [
      makeIssue('a', by('ada')),
      makeIssue('b', { ...by('mallory'), labels: ['approved'] }),
    ];
    const fixture = new SchedulerFixture({ trust, maxConcurrentAgents: 1 }).start().list(first, next);
    expect(fixture.started).toEqual(['a']);
    fixture.turn('a', 1, current({ ...first, state: 'Human Review' })).end('a');
    expect(fixture.phase('b')).toBe('checking');
    expect(fixture.refresh({ b: current({ ...next, labels: [] }) }).started).toEqual([]);
    expect(fixture.phase('b')).toBeNull();
  });

  it('stops a run whose issue is no longer trusted, and no run because nothing was learnt', () => {
    const issue = makeIssue('a', { ...by('mallory'), labels: ['approved'] });
    const fixture = gated().list(issue);
    fixture.send({ type: 'poll_requested' });
    fixture.refresh({ a: unknown }).list(issue);
    expect(fixture.phase('a')).toBe('running');
    fixture.send({ type: 'poll_requested' });
    fixture.refresh({ a: current({ ...issue, labels: [] }) });
    expect(fixture.sent('stop_run')).toMatchObject([
      { reason: { kind: 'unroutable', detail: expect.stringContaining('not trusted') } },
    ]);
  });
});
