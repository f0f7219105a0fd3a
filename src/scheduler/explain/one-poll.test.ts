import { describe, expect, it } from 'vitest';
import { current, makeIssue, SchedulerFixture, unknown } from '../../../test/fakes/scheduler-fixture.ts';
import { explainListing } from './first-poll.ts';
import { isOnePollOver } from './one-poll.ts';

const [a, b, c] = [makeIssue('a'), makeIssue('b'), makeIssue('c')];

function oneRound(options = {}, workspaces: readonly { issueId: string; identifier: string }[] = []) {
  const driver = new SchedulerFixture(options);
  return driver.send({ type: 'started', records: [], workspaces, intake: 'one_poll' });
}

describe('a worker that was asked for one poll', () => {
  it('is over only when the runs of that poll have ended, and fills no slot they free', () => {
    const driver = oneRound({ maxConcurrentAgents: 1 });
    expect([driver.state.intake, isOnePollOver(driver.state)]).toEqual(['one_poll', false]);
    expect(driver.list(a, b).started).toEqual(['a']);
    expect([driver.state.intake, isOnePollOver(driver.state)]).toEqual(['closed', false]);
    driver.turn('a', 1, current({ ...a, state: 'Human Review' })).end('a');
    expect(driver.phase('b')).toBeNull();
    expect(isOnePollOver(driver.state)).toBe(true);
  });

  it('goes on looking after its runs without listing candidates', () => {
    const driver = oneRound().list(a);
    driver.send({ type: 'poll_requested' });
    driver.refresh({ a: current({ ...a, state: 'Backlog' }) });
    expect(driver.sent('stop_run')).toHaveLength(1);
    expect(driver.sent('list_candidates')).toEqual([]);
    expect(driver.state).toMatchObject({ tick: { phase: 'idle' }, lastPoll: { ok: true, candidates: 1 } });
  });

  it('leaves a retry that is due later alone, and waits for one whose look is under way', () => {
    const driver = oneRound().list(a).end('a', { kind: 'failed', code: 'turn_failed', message: 'no' }, 0);
    expect([driver.phase('a'), isOnePollOver(driver.state)]).toEqual(['retrying', true]);
    const record = driver.state.records.get('a');
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
    const driver = oneRound();
    driver.send({ type: 'candidates_failed', failure: { message: 'down', retryAfterMs: null } });
    expect([driver.state.intake, isOnePollOver(driver.state), driver.state.lastPoll?.ok]).toEqual([
      'closed',
      true,
      false,
    ]);
  });

  it('waits for the workspaces it removes, and keeps one whose state nobody confirms', () => {
    const driver = oneRound({}, [{ issueId: 'c', identifier: 'C' }]);
    driver.list();
    expect(isOnePollOver(driver.state)).toBe(false);
    driver.refresh({ c: current({ ...c, state: 'Done' }) });
    expect([driver.sent('remove_workspace').length, isOnePollOver(driver.state)]).toEqual([1, false]);
    driver.send({ type: 'workspace_removed', issueId: 'c', error: null });
    expect(isOnePollOver(driver.state)).toBe(true);

    const unsure = oneRound().list(a);
    unsure.turn('a', 1, current({ ...a, state: 'Done' })).end('a');
    unsure.refresh({ a: unknown });
    expect(unsure.sent('set_timer').filter(({ key }) => key.startsWith('cleanup'))).toEqual([]);
    expect(isOnePollOver(unsure.state)).toBe(true);
  });
});

describe('explaining a listing', () => {
  it('says of each issue what a worker with free slots would do with it', () => {
    const driver = new SchedulerFixture({ maxConcurrentAgents: 1 });
    const blocked = makeIssue('d', {
      priority: 1,
      dispatchable: false,
      undispatchableReason: 'blocked by A (Todo)',
    });
    expect(
      explainListing([b, a, blocked], driver.settings, driver.now).issues.map(({ issue, reason }) => [
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
