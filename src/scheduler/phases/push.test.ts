import { describe, expect, it } from 'vitest';
import { current, makeIssue, SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import type { PushResult } from '../../domain/push.ts';
import type { RunEvidence } from '../../domain/run-outcome.ts';

const a = makeIssue('a');
const UNPUSHED = { branch: 'ai/a', headCommit: 'b'.repeat(40), commitsAhead: 1, pushed: false };
const PUSHED: PushResult = {
  ok: true,
  branch: 'ai/a',
  commit: 'b'.repeat(40),
  changed: true,
  remoteLines: [],
};
const REFUSED: PushResult = {
  ok: false,
  code: 'rejected',
  message: 'The remote refused the push.',
  remoteLines: ['no secrets please'],
};

/** An issue whose agent handed it over and never pushed. */
function held(state = 'Human Review', evidence: Partial<RunEvidence> = UNPUSHED): SchedulerFixture {
  const over = current({ ...a, state });
  const driver = new SchedulerFixture().start().list(a);
  driver.event('a', { type: 'workspace', path: '/w/A', branch: 'ai/a', createdNow: true });
  driver.move('a', state).turn('a', 1, over, evidence).turn('a', 2, over, evidence);
  return driver.end('a', { kind: 'completed' }, 2, evidence);
}

function push(driver: SchedulerFixture, by = 'ada'): SchedulerFixture {
  return driver.send({ type: 'operator', action: { kind: 'push', issue: 'a', by } });
}

const ended = (result: PushResult) => ({ type: 'push_ended', issueId: 'a', result }) as const;

describe("an operator's push", () => {
  it('pushes the work branch once, however often it is asked for', () => {
    const driver = push(held());
    expect(driver.sent('push_branch')).toEqual([
      { type: 'push_branch', issueId: 'a', identifier: 'A', commit: null },
    ]);
    expect(push(driver).sent('push_branch')).toEqual([]);
    expect(driver.phase('a')).toBe('blocked');
  });

  it('pushes what the agent left on another branch', () => {
    const driver = push(held('Human Review', { ...UNPUSHED, branch: 'mine' }));
    expect(driver.sent('push_branch')[0]?.commit).toBe('b'.repeat(40));
  });

  it('delivers the issue; the record of the run stays as it was', () => {
    const driver = push(held()).send(ended(PUSHED));
    expect(driver.phase('a')).toBeNull();
    expect(driver.sent('record_run')).toEqual([]);
    expect(driver.published('pushed')).toEqual([`ada had ai/a at ${'b'.repeat(12)} pushed`]);
    expect(driver.state.records.get('a')).toMatchObject({
      claim: null,
      leftActive: true,
      lastOutcome: { kind: 'delivered', summary: `ada had ai/a at ${'b'.repeat(12)} pushed` },
    });
    expect(driver.state.cleaning.size).toBe(0);
    expect(driver.state.pushing.size).toBe(0);
  });

  it('lets the workspace of a finished issue go', () => {
    const driver = push(held('Done')).send(ended(PUSHED));
    expect(driver.state.cleaning.has('a')).toBe(true);
  });

  it('that is refused leaves the issue held, with what the remote said', () => {
    const driver = push(held()).send(ended(REFUSED));
    const error = 'not pushed: The remote refused the push. (the remote says: no secrets please)';
    expect(driver.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'not_pushed', error });
    expect(driver.state.records.get('a')?.claim).toMatchObject({ error });
    expect(driver.published('push_failed')).toEqual([error]);
    expect(push(driver).sent('push_branch')).toHaveLength(1);
  });

  it('is not disturbed by what happens to the issue meanwhile', () => {
    const driver = push(held()).send({ type: 'poll_requested' });
    driver.refresh({ a: current({ ...a, state: 'Done' }) }).list();
    expect(driver.state.cleaning.size).toBe(0);
    driver.send(ended(REFUSED)).poll([{ ...a, state: 'Done' }], []);
    expect(driver.phase('a')).toBeNull();
    expect(driver.state.cleaning.has('a')).toBe(true);
  });

  it('does not end a block of another kind', () => {
    const driver = new SchedulerFixture().start().list(a);
    driver.end('a', { kind: 'input_required', method: 'ask', question: 'Which?' });
    push(driver).send(ended(PUSHED));
    expect(driver.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'ask' });
    expect(driver.published('operator_action')).toHaveLength(1);
  });

  it('is not made beside a run, nor without a workspace', () => {
    const running = new SchedulerFixture().start().list(a);
    expect(push(running).sent('push_branch')).toEqual([]);
    expect(running.answer({ kind: 'push', issue: 'a', by: 'me' })).toMatchObject({
      refused: 'action_not_applicable',
      why: expect.stringContaining('is being worked on'),
    });
    expect(running.answer({ kind: 'push', issue: 'b', by: 'me' })).toMatchObject({
      why: expect.stringContaining('has no workspace yet'),
    });
    expect(held().answer({ kind: 'push', issue: 'a', by: 'me' })).toMatchObject({ changes: true });
  });

  it('that nobody waits for any more changes nothing', () => {
    const driver = held();
    const before = driver.state;
    expect(driver.send(ended(PUSHED)).state.claims).toEqual(before.claims);
  });
});

describe('a branch that somebody else pushed', () => {
  it('is looked for at the start and when somebody asks for a poll', () => {
    const record = held().state.records.get('a');
    if (record === undefined) throw new Error('nothing is remembered');
    const next = new SchedulerFixture().start([record]);
    const look = { type: 'inspect_branch', issueId: 'a', identifier: 'A' };
    expect(next.sent('inspect_branch')).toEqual([look]);
    next.refresh({ a: current({ ...a, state: 'Human Review' }) }).list();
    expect(next.send({ type: 'poll_requested' }).sent('inspect_branch')).toEqual([look]);
  });

  it.each([
    [true, null],
    [false, 'blocked'],
    [null, 'blocked'],
  ])('delivers the issue when that is certain: %s', (pushed, phase) => {
    const driver = held().send({
      type: 'branch_inspected',
      issueId: 'a',
      branch: { pushed, commitsAhead: 1 },
    });
    expect(driver.phase('a')).toBe(phase);
  });
});
