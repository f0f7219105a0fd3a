import { describe, expect, it } from 'vitest';
import { makeIssue, SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import { describeQueue } from '../../contract/queue.ts';
import type { Survey, SurveyedIssue } from '../../domain/survey.ts';
import { queueRow } from '../../orchestrator/snapshot/waiting-rows.ts';
import { isSurveyDue } from '../rules/survey-due.ts';
import { explainWaiting, retryReasons } from './explain.ts';
import { explainQueue, type QueueSummary } from './queue.ts';

const KNOWN = ['Todo', 'In Progress', 'Backlog', 'Human Review', 'Done'];

function survey(others: readonly [id: string, state: string | null][], fields: Partial<Survey> = {}): Survey {
  const issues = others.map(([id, state]): SurveyedIssue => ({ id, identifier: id.toUpperCase(), state }));
  return { others: issues, complete: true, finished: 0, knownStates: KNOWN, ignored: [], ...fields };
}

function explain(fixture: SchedulerFixture, seen: Survey | null): QueueSummary {
  const { state, settings, now } = fixture;
  return explainQueue(state, explainWaiting(state, settings, now), seen, retryReasons(state, settings, now));
}

const text = (summary: QueueSummary): string => describeQueue(queueRow(summary));

const held = makeIssue('task-4', {
  identifier: 'TASK-4',
  dispatchable: false,
  undispatchableReason: 'blocked by TASK-2 (Backlog)',
  blockedBy: [{ id: 'task-2', identifier: 'TASK-2', state: 'Backlog' }],
});

function started(options = {}): SchedulerFixture {
  return new SchedulerFixture(options).send({ type: 'started', records: [], workspaces: [] });
}

describe('explaining the queue', () => {
  it('tells an idle worker from every issue there is, one reason each', () => {
    const summary = explain(
      started().list(held),
      survey(
        [
          ['task-1', 'Backlog'],
          ['task-2', 'backlog'],
          ['task-3', 'Backlog'],
          ['task-5', 'Tood'],
        ],
        { ignored: [{ name: 'my feature.md', why: 'a space' }] },
      ),
    );
    expect(summary).toMatchObject({ seen: 5, complete: true, running: 0, ready: 0 });
    expect(summary.groups.map(({ reason, count }) => [reason, count])).toEqual([
      ['not_active', 3],
      ['blocked', 1],
      ['unknown_state', 1],
    ]);
    expect(text(summary)).toBe(
      '5 issues seen: 0 ready; 3 Backlog (not active), 1 waits for TASK-2 (Backlog), 1 in unknown state "Tood" (did you mean Todo?); ignored: "my feature.md"',
    );
  });

  it('counts an issue once, whoever tells of it', () => {
    const fixture = started({ maxConcurrentAgents: 1 }).list(makeIssue('a'), makeIssue('b'));
    const summary = explain(
      fixture,
      survey([
        ['a', 'Human Review'],
        ['b', 'Backlog'],
      ]),
    );
    expect(summary).toMatchObject({ seen: 2, running: 1, ready: 1 });
    expect(text(summary)).toBe('2 issues seen: 1 running, 1 ready (waiting for a slot (1 of 1 in use))');
  });

  it('says what it counts when only active issues were listed', () => {
    expect(text(explain(started().list(held), null))).toBe(
      '1 issue listed in active states: 0 ready; 1 waits for TASK-2 (Backlog)',
    );
    expect(text(explain(started().list(), survey([['x', 'Backlog']], { complete: false })))).toBe(
      '1 issue listed in active states: 0 ready; 1 Backlog (not active)',
    );
  });

  it('tells of failures, questions, finished issues and states nobody gave', () => {
    const fixture = started({ maxConcurrentAgents: 2 }).list(makeIssue('a'));
    fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'no' }, 0);
    const summary = explain(fixture, survey([['n', null]], { finished: 7 }));
    expect(text(summary)).toBe(
      '9 issues seen: 0 ready; 7 finished, 1 to be tried again after a failure, 1 without a state',
    );
  });

  it('says what a retry that is due waits for', () => {
    const a = makeIssue('a');
    const fixture = started({ maxConcurrentAgents: 1 }).list(a);
    fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'no' }, 0);
    fixture.poll([a], [a, makeIssue('b')]).advance(3_600_000);
    expect(text(explain(fixture, null))).toContain(
      '1 to be tried again after a failure, waiting for a slot (1 of 1 in use)',
    );
  });

  it('stays short with many different labels', () => {
    const states = Array.from({ length: 30 }, (_, index): [string, string] => [
      `i${index}`,
      `Odd ${index}${'x'.repeat(index)}`,
    ]);
    const summary = explain(started().list(), survey(states));
    expect(summary.groups).toHaveLength(3);
    expect(summary.groups[0]).toMatchObject({ label: 'in unknown states', count: 28 });
  });
});

describe('when to look around', () => {
  const idle = started().list();
  const ask = (fields: Partial<Parameters<typeof isSurveyDue>[0]>): boolean =>
    isSurveyDue({
      state: idle.state,
      cost: 'request',
      surveyedAt: null,
      slowed: false,
      now: 1_000_000,
      ...fields,
    });

  it('spends a request only on an idle worker with an allowance, and rarely', () => {
    expect(ask({})).toBe(true);
    expect(ask({ surveyedAt: 999_000 })).toBe(false);
    expect(ask({ surveyedAt: 0 })).toBe(true);
    expect(ask({ slowed: true })).toBe(false);
    expect(ask({ state: started().list(makeIssue('a')).state })).toBe(false);
    expect(ask({ state: started().state })).toBe(false);
  });

  it('looks after every good poll where that costs nothing', () => {
    expect(ask({ cost: 'none', surveyedAt: 999_999 })).toBe(true);
    expect(ask({ cost: 'none', state: started().list(makeIssue('a')).state })).toBe(true);
  });
});
