import { describe, expect, it } from 'vitest';
import { absent, current, makeIssue, SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import type { BranchStanding } from '../../domain/run-outcome.ts';
import type { EndedRun } from '../core/commands.ts';
import type { IssueRecord } from '../core/state.ts';

const a = makeIssue('a');
const PUSHED: BranchStanding = { pushed: true, commitsAhead: 2 };
const UNPUSHED: BranchStanding = { pushed: false, commitsAhead: 2 };
const NO_WORK: BranchStanding = { pushed: true, commitsAhead: 0 };
const UNKNOWN: BranchStanding = { pushed: null, commitsAhead: null };

/** What the journal has of an issue whose worker is killed now. */
function recordOf(fixture: SchedulerFixture): IssueRecord {
  const record = fixture.state.records.get('a');
  if (record === undefined) throw new Error('nothing is remembered of a');
  return record;
}

function working(): SchedulerFixture {
  const fixture = new SchedulerFixture().start().list(a);
  fixture.agent('a', { type: 'turn_started', turn: 1, turnId: null });
  const usage = { inputTokens: 5, outputTokens: 5, totalTokens: 10 };
  return fixture.agent('a', { type: 'usage', usage, costUsd: null }).advance(5_000);
}

/** The next life, up to the tracker's answer about the issue; its workspace is still there. */
function restarted(record: IssueRecord, state: string | null): SchedulerFixture {
  const fixture = new SchedulerFixture();
  fixture.now = 2_000_000;
  fixture.send({ type: 'started', records: [record], workspaces: [{ issueId: 'a', identifier: 'A' }] });
  return fixture.refresh({ a: state === null ? absent : current({ ...a, state }) });
}

function inspected(fixture: SchedulerFixture, branch: BranchStanding): SchedulerFixture {
  expect(fixture.sent('inspect_branch')).toHaveLength(1);
  return fixture.send({ type: 'branch_inspected', issueId: 'a', branch });
}

function endOf(fixture: SchedulerFixture): EndedRun {
  const [first, ...more] = fixture.sent('record_run');
  if (first === undefined || more.length > 0) throw new Error('not one end was recorded');
  return first.run;
}

describe('a run whose worker was killed', () => {
  it.each(['Human Review', 'Done'])(
    'was delivered when its agent had handed it over, found in %s',
    (state) => {
      const killed = working().move('a', 'Human Review');
      const { runId } = killed.run('a');
      const fixture = inspected(restarted(recordOf(killed), state), PUSHED);
      expect(endOf(fixture)).toMatchObject({
        runId,
        stateBefore: 'Todo',
        stateAfter: state,
        handedOff: true,
        outcome: {
          kind: 'delivered',
          summary:
            'handed over in Human Review with 2 commits, pushed; the worker was killed before it saw the end',
        },
        result: { end: { kind: 'completed' }, evidence: PUSHED },
      });
      expect(fixture.published('completed')).toHaveLength(1);
      expect(recordOf(fixture)).toMatchObject({
        underWay: null,
        lastOutcome: { kind: 'delivered' },
        leftActive: true,
      });
    },
  );

  it('was delivered when it left the active states with commits that others can see', () => {
    const fixture = inspected(restarted(recordOf(working()), 'Done'), PUSHED);
    expect(endOf(fixture).outcome.kind).toBe('delivered');
  });

  it.each([
    ['nothing was committed', NO_WORK, 'canceled'],
    ['nobody else can see its commits', UNPUSHED, 'canceled'],
  ] as const)('was not delivered when somebody closed it and %s', (_why, branch, kind) => {
    expect(endOf(inspected(restarted(recordOf(working()), 'Done'), branch)).outcome.kind).toBe(kind);
  });

  it('was cut off when its issue is still to be worked on; what it used is on record, and it goes on', () => {
    const fixture = restarted(recordOf(working().send({ type: 'poll_requested' })), 'Todo');
    const run = endOf(fixture);
    expect(run).toMatchObject({ outcome: { kind: 'canceled', summary: 'the worker was killed' } });
    expect(run).toMatchObject({ usage: { totalTokens: 10 }, startedAt: 1_000_000, endedAt: 1_005_000 });
    expect(fixture.list(a).started).toEqual(['a']);
    expect(recordOf(fixture)).toMatchObject({ runs: 2, lifetime: { runs: 2 } });
  });

  it('is ended before the issue’s next run, also when the tracker does not answer at first', () => {
    const fixture = new SchedulerFixture();
    fixture.send({ type: 'started', records: [recordOf(working())], workspaces: [] });
    fixture.failRefresh().list(a);
    expect(endOf(fixture).outcome.kind).toBe('canceled');
    expect(fixture.started).toEqual(['a']);
  });

  it('of an issue that is gone was canceled', () => {
    expect(endOf(restarted(recordOf(working()), null)).outcome.kind).toBe('canceled');
  });

  it('keeps its workspace until its branch was looked at, then a terminal one is cleaned', () => {
    const fixture = restarted(recordOf(working().move('a', 'Human Review')), 'Done');
    for (const requestId of fixture.state.pending.keys())
      fixture.send({
        type: 'issues_refreshed',
        requestId,
        outcomes: new Map([['a', current({ ...a, state: 'Done' })]]),
      });
    expect(fixture.state.cleaning.size).toBe(0);
    fixture.send({ type: 'branch_inspected', issueId: 'a', branch: PUSHED });
    expect(fixture.state.cleaning.has('a')).toBe(true);
  });

  it('is looked at again when git could not answer, and decided without in the end', () => {
    const fixture = restarted(recordOf(working().move('a', 'Human Review')), 'Human Review');
    for (let looks = 1; looks <= 2; looks += 1) {
      fixture.send({ type: 'branch_inspected', issueId: 'a', branch: UNKNOWN });
      expect(fixture.sent('record_run')).toEqual([]);
    }
    fixture.send({ type: 'branch_inspected', issueId: 'a', branch: UNKNOWN });
    expect(endOf(fixture).outcome.kind).toBe('delivered');
  });
});

describe('a run that had ended when it was told to stop', () => {
  it('stays delivered when a reviewer is quicker than after_run', () => {
    const fixture = working().move('a', 'Human Review');
    fixture.poll([{ ...a, state: 'Done' }], []);
    expect(fixture.sent('stop_run')).toEqual([]);
    fixture.end('a', { kind: 'completed' }, 1, { commitsAhead: 1, pushed: true });
    expect(endOf(fixture).outcome.kind).toBe('delivered');
  });

  it('stays delivered, failed or to be continued when the worker is stopped meanwhile', () => {
    const over = working().move('a', 'Human Review').send({ type: 'shutdown' });
    expect(endOf(over.end('a', { kind: 'completed' }, 1, { pushed: true })).outcome.kind).toBe('delivered');
    const failed = working().send({ type: 'shutdown' });
    failed.end('a', { kind: 'failed', code: 'x', message: 'broke' });
    expect(endOf(failed).outcome).toEqual({ kind: 'failed', summary: 'broke' });
    expect(recordOf(failed).claim).toMatchObject({ phase: 'retrying', kind: 'failure' });
  });

  it('is not called silent while after_run works', () => {
    const fixture = working()
      .event('a', { type: 'phase', phase: 'Finishing', detail: null })
      .advance(3_600_000);
    expect(fixture.send({ type: 'poll_requested' }).sent('stop_run')).toEqual([]);
  });
});
