import { describe, expect, it } from 'vitest';
import { current, makeIssue, SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import type { IssueRecord } from '../core/state.ts';

const DAY = 86_400_000;
const a = makeIssue('a');
const done = { ...a, state: 'Done' };

/** `a` has run, is done, and its workspace is gone. */
function finished(recordsKeptMs: number | null): SchedulerFixture {
  const fixture = new SchedulerFixture({ recordsKeptMs }).start().list(a);
  fixture
    .send({ type: 'poll_requested' })
    .refresh({ a: current(done) })
    .list();
  fixture.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
  fixture.refresh({ a: current(done) }).send({ type: 'workspace_removed', issueId: 'a', error: null });
  expect([fixture.phase('a'), fixture.state.held.size, fixture.state.records.size]).toEqual([null, 0, 1]);
  return fixture;
}

describe('the record of an issue that is long gone', () => {
  it('is forgotten after the retention time, in memory and in the journal, and its sum is told', () => {
    const fixture = finished(90 * DAY)
      .advance(89 * DAY)
      .send({ type: 'poll_requested' });
    expect(fixture.sent('forget_record')).toEqual([]);
    fixture
      .list()
      .advance(2 * DAY)
      .send({ type: 'poll_requested' });
    expect(fixture.sent('forget_record')).toEqual([{ type: 'forget_record', issueId: 'a' }]);
    expect(fixture.state.records.size).toBe(0);
    expect(fixture.published('records_folded')).toEqual([
      '1 issues not heard of for 90 days are forgotten (1 runs, 0 tokens)',
    ]);
  });

  it('stays while everything is kept for ever', () => {
    expect(
      finished(null)
        .advance(9999 * DAY)
        .send({ type: 'poll_requested' }).state.records.size,
    ).toBe(1);
  });

  it('stays while the issue is listed, claimed or has a workspace', () => {
    const listed = finished(DAY)
      .send({ type: 'poll_requested' })
      .list({ ...a, dispatchable: false });
    expect(listed.advance(2 * DAY).send({ type: 'poll_requested' }).state.records.size).toBe(1);
    const held = new SchedulerFixture({ recordsKeptMs: DAY }).start().list(a);
    held.turn('a', 1, current({ ...a, state: 'Human Review' })).end('a');
    expect(held.advance(2 * DAY).send({ type: 'poll_requested' }).state.records.size).toBe(1);
    const blocked = new SchedulerFixture({ recordsKeptMs: DAY }).start().list(a);
    blocked.end('a', { kind: 'input_required', method: 'ask', question: 'Which?' });
    expect(blocked.advance(2 * DAY).send({ type: 'poll_requested' }).state.records.size).toBe(1);
  });

  it('that does not say how old it is begins its time with the start', () => {
    const fixture = finished(DAY);
    const { savedAt: _age, ...record } = fixture.state.records.get('a') as IssueRecord;
    const next = new SchedulerFixture({ recordsKeptMs: DAY }).start([record]).list();
    expect(
      next
        .advance(DAY / 2)
        .send({ type: 'poll_requested' })
        .list().state.records.size,
    ).toBe(1);
    expect(next.advance(DAY).send({ type: 'poll_requested' }).state.records.size).toBe(0);
  });
});
