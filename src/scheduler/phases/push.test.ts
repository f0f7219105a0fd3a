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
  const fixture = new SchedulerFixture().start().list(a);
  fixture.event('a', { type: 'workspace', path: '/w/A', branch: 'ai/a', createdNow: true });
  fixture.move('a', state).turn('a', 1, over, evidence).turn('a', 2, over, evidence);
  return fixture.end('a', { kind: 'completed' }, 2, evidence);
}

function push(fixture: SchedulerFixture, by = 'ada'): SchedulerFixture {
  return fixture.send({ type: 'operator', action: { kind: 'push', issue: 'a', by } });
}

const ended = (result: PushResult) => ({ type: 'push_ended', issueId: 'a', result }) as const;

describe("an operator's push", () => {
  it('pushes the work branch once, however often it is asked for', () => {
    const fixture = push(held());
    expect(fixture.sent('push_branch')).toEqual([
      { type: 'push_branch', issueId: 'a', identifier: 'A', commit: null },
    ]);
    expect(push(fixture).sent('push_branch')).toEqual([]);
    expect(fixture.phase('a')).toBe('blocked');
  });

  it('pushes what the agent left on another branch', () => {
    const fixture = push(held('Human Review', { ...UNPUSHED, branch: 'mine' }));
    expect(fixture.sent('push_branch')[0]?.commit).toBe('b'.repeat(40));
  });

  it('delivers the issue; the record of the run stays as it was', () => {
    const fixture = push(held()).send(ended(PUSHED));
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.sent('record_run')).toEqual([]);
    expect(fixture.published('pushed')).toEqual([`ada had ai/a at ${'b'.repeat(12)} pushed`]);
    expect(fixture.state.records.get('a')).toMatchObject({
      claim: null,
      leftActive: true,
      lastOutcome: { kind: 'delivered', summary: `ada had ai/a at ${'b'.repeat(12)} pushed` },
    });
    expect(fixture.state.cleaning.size).toBe(0);
    expect(fixture.state.pushing.size).toBe(0);
  });

  it('lets the workspace of a finished issue go', () => {
    const fixture = push(held('Done')).send(ended(PUSHED));
    expect(fixture.state.cleaning.has('a')).toBe(true);
  });

  it('that is refused leaves the issue held, with what the remote said', () => {
    const fixture = push(held()).send(ended(REFUSED));
    const error = 'not pushed: The remote refused the push. (the remote says: no secrets please)';
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'not_pushed', error });
    expect(fixture.state.records.get('a')?.claim).toMatchObject({ error });
    expect(fixture.published('push_failed')).toEqual([error]);
    expect(push(fixture).sent('push_branch')).toHaveLength(1);
  });

  it('is not disturbed by what happens to the issue meanwhile', () => {
    const fixture = push(held()).send({ type: 'poll_requested' });
    fixture.refresh({ a: current({ ...a, state: 'Done' }) }).list();
    expect(fixture.state.cleaning.size).toBe(0);
    fixture.send(ended(REFUSED)).poll([{ ...a, state: 'Done' }], []);
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.state.cleaning.has('a')).toBe(true);
  });

  it('does not end a block of another kind', () => {
    const fixture = new SchedulerFixture().start().list(a);
    fixture.end('a', { kind: 'input_required', method: 'ask', question: 'Which?' });
    push(fixture).send(ended(PUSHED));
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'ask' });
    expect(fixture.published('operator_action')).toHaveLength(1);
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
    const fixture = held();
    const before = fixture.state;
    expect(fixture.send(ended(PUSHED)).state.claims).toEqual(before.claims);
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
    const fixture = held().send({
      type: 'branch_inspected',
      issueId: 'a',
      branch: { pushed, commitsAhead: 1 },
    });
    expect(fixture.phase('a')).toBe(phase);
  });
});
