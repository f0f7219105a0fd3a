import { describe, expect, it } from 'vitest';
import { current, makeIssue, SchedulerFixture, unknown } from '../../../test/fakes/scheduler-fixture.ts';
import { explainListing } from './first-poll.ts';
import { isOnePollOver } from './one-poll.ts';

const [a, b, c] = [makeIssue('a'), makeIssue('b'), makeIssue('c')];

function onePoll(options = {}, workspaces: readonly { issueId: string; identifier: string }[] = []) {
  const fixture = new SchedulerFixture(options);
  return fixture.send({ type: 'started', records: [], workspaces, intake: 'one_poll' });
}

describe('a worker that was asked for one poll', () => {
  it('is over only when the runs of that poll have ended, and fills no slot they free', () => {
    const fixture = onePoll({ maxConcurrentAgents: 1 });
    expect([fixture.state.intake, isOnePollOver(fixture.state)]).toEqual(['one_poll', false]);
    expect(fixture.list(a, b).started).toEqual(['a']);
    expect([fixture.state.intake, isOnePollOver(fixture.state)]).toEqual(['closed', false]);
    fixture.turn('a', 1, current({ ...a, state: 'Human Review' })).end('a');
    expect(fixture.phase('b')).toBeNull();
    expect(isOnePollOver(fixture.state)).toBe(true);
  });

  it('goes on looking after its runs without listing candidates', () => {
    const fixture = onePoll().list(a);
    fixture.send({ type: 'poll_requested' });
    fixture.refresh({ a: current({ ...a, state: 'Backlog' }) });
    expect(fixture.sent('stop_run')).toHaveLength(1);
    expect(fixture.sent('list_candidates')).toEqual([]);
    expect(fixture.state).toMatchObject({ tick: { phase: 'idle' }, lastPoll: { ok: true, candidates: 1 } });
  });

  it('leaves a retry that is due later alone, and waits for one whose look is under way', () => {
    const fixture = onePoll().list(a).end('a', { kind: 'failed', code: 'turn_failed', message: 'no' }, 0);
    expect([fixture.phase('a'), isOnePollOver(fixture.state)]).toEqual(['retrying', true]);
    const record = fixture.state.records.get('a');
    const late = new SchedulerFixture({ maxConcurrentAgents: 1 });
    late.advance(600_000).send({
      type: 'started',
      records: record === undefined ? [] : [record],
      workspaces: [],
      intake: 'one_poll',
    });
    expect(late.phase('a')).toBe('checking');
    const [reconcile = ''] = late.state.pending.keys();
    late.send({
      type: 'issues_refreshed',
      requestId: reconcile,
      outcomes: new Map([['a', current(a)]]),
    });
    expect(late.list(b).started).toEqual([]);
    expect(isOnePollOver(late.state)).toBe(false);
    expect(late.refresh({ a: current(a) }).started).toEqual(['a']);
  });

  it('closes after a failed poll, too', () => {
    const fixture = onePoll();
    fixture.send({ type: 'candidates_failed', failure: { message: 'down', retryAfterMs: null } });
    expect([fixture.state.intake, isOnePollOver(fixture.state), fixture.state.lastPoll?.ok]).toEqual([
      'closed',
      true,
      false,
    ]);
  });

  it('waits for the workspaces it removes, and keeps one whose state nobody confirms', () => {
    const fixture = onePoll({}, [{ issueId: 'c', identifier: 'C' }]);
    fixture.list();
    expect(isOnePollOver(fixture.state)).toBe(false);
    fixture.refresh({ c: current({ ...c, state: 'Done' }) });
    expect([fixture.sent('remove_workspace').length, isOnePollOver(fixture.state)]).toEqual([1, false]);
    fixture.send({ type: 'workspace_removed', issueId: 'c', error: null });
    expect(isOnePollOver(fixture.state)).toBe(true);

    const unsure = onePoll().list(a);
    unsure.turn('a', 1, current({ ...a, state: 'Done' })).end('a');
    unsure.refresh({ a: unknown });
    expect(unsure.sent('set_timer').filter(({ key }) => key.startsWith('cleanup'))).toEqual([]);
    expect(isOnePollOver(unsure.state)).toBe(true);
  });
});

describe('explaining a listing', () => {
  it('says of each issue what a worker with free slots would do with it', () => {
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 1 });
    const blocked = makeIssue('d', {
      priority: 1,
      dispatchable: false,
      undispatchableReason: 'blocked by A (Todo)',
    });
    expect(
      explainListing([b, a, blocked], fixture.settings, fixture.now).issues.map(({ issue, reason }) => [
        issue.id,
        reason,
      ]),
    ).toEqual([
      ['d', 'blocked by A (Todo)'],
      ['a', null],
      ['b', 'waiting for a slot (1 of 1 in use)'],
    ]);
  });
});
