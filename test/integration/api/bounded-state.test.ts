import { describe, expect, it } from 'vitest';
import { LIST_LIMITS } from '../../../src/contract/limits.ts';
import { stateSnapshotSchema } from '../../../src/contract/state.ts';
import { NO_EVIDENCE } from '../../../src/domain/run-outcome.ts';
import { RecentHistory } from '../../../src/orchestrator/history/recent-history.ts';
import { buildIssueDetail } from '../../../src/orchestrator/snapshot/issue-detail.ts';
import { buildStateSnapshot, type SnapshotInput } from '../../../src/orchestrator/snapshot/state-snapshot.ts';
import type { EndedRun } from '../../../src/scheduler/core/commands.ts';
import { freshRecord } from '../../../src/scheduler/core/initial-state.ts';
import type { IssueRecord } from '../../../src/scheduler/core/state.ts';
import { configOf } from '../../conformance/scenarios/workflow.ts';
import { makeIssue, SchedulerFixture } from '../../fakes/scheduler-fixture.ts';

const MANY = 3000;
/** Of a whole answer after thousands of issues, in characters. */
const MAX_ANSWER = 300_000;

const names = Array.from(
  { length: MANY },
  (_, n) => `0b0e7c1a-0000-4000-8000-${String(n).padStart(12, '0')}`,
);

function stopped(id: string, n: number): IssueRecord {
  const operatorStop = { state: 'Done', stoppedAt: n, latched: false, suppressed: 0, firstSuppressed: null };
  return { ...freshRecord(makeIssue(id)), operatorStop };
}

function ended(id: string, n: number): EndedRun {
  return {
    ...{
      runId: `r-${n}`,
      issueId: id,
      identifier: `T-${n}`,
      title: 'A title',
      url: `https://t.example/${n}`,
    },
    ...{ attempt: null, startedAt: n, endedAt: n + 1, stateBefore: 'Todo', stateAfter: 'Human Review' },
    outcome: { kind: 'delivered', summary: 'delivered' },
    result: { end: { kind: 'completed' }, turns: 1, evidence: NO_EVIDENCE },
    ...{ handedOff: true, costUsd: null, sessionId: `s-${n}`, model: null, runner: 'mock', profile: null },
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    workspacePath: `/workspaces/T-${n}`,
  };
}

function inputOf(fixture: SchedulerFixture, history: RecentHistory): SnapshotInput {
  return {
    state: fixture.state,
    activity: fixture.activity.view,
    workflow: { config: configOf(), tracker: null, tools: null, settings: fixture.settings },
    ...{ history, now: fixture.now, startedAt: 0, version: '0', reloadError: null },
    journal: { ok: true, path: null, problem: null },
  };
}

describe('an answer after thousands of issues', () => {
  const blocked = (id: string, n: number): IssueRecord => {
    const issue = makeIssue(id);
    const claim = {
      ...({ phase: 'blocked', issue, method: 'operator', error: 'stopped', question: null } as const),
      ...{ blockedAt: n, runId: null },
    };
    return { ...freshRecord(issue), claim };
  };
  const retrying = (id: string, n: number): IssueRecord => {
    const issue = makeIssue(id);
    const claim = {
      ...({ phase: 'retrying', issue, kind: 'failure', attempt: 1, error: null, answer: null } as const),
      dueAt: 10_000_000 + n,
    };
    return { ...freshRecord(issue), claim };
  };

  it('is bounded, counts what it leaves out, and shows the newest', () => {
    const history = new RecentHistory();
    for (const [n, id] of names.entries()) history.addRun(ended(id, n));
    const fixture = new SchedulerFixture().start(names.map(stopped));
    const shown = buildStateSnapshot(inputOf(fixture, history));
    expect(stateSnapshotSchema.safeParse(shown).success).toBe(true);
    expect(JSON.stringify(shown).length).toBeLessThan(MAX_ANSWER);
    expect(shown.counts.operator_terminal_stops).toBe(MANY);
    expect(shown.operator_terminal_stops).toHaveLength(LIST_LIMITS.operator_terminal_stops);
    expect(shown.operator_terminal_stops.map(({ issue_id }) => issue_id)).toContain(names.at(-1));
    expect(shown.completed).toHaveLength(LIST_LIMITS.issue_ids);
    expect(shown.completed).toContain(names.at(-1));
    expect(shown.counts).toMatchObject({ completed_total: MANY });
    expect(shown.completed_session_usage).toHaveLength(LIST_LIMITS.completed_session_usage);
  });

  it.each([
    ['blocked', blocked, names.at(-1)],
    ['retrying', retrying, names.at(0)],
  ] as const)('holds some of the %s issues and counts them all', (list, record, first) => {
    const fixture = new SchedulerFixture().start(names.map(record));
    const input = inputOf(fixture, new RecentHistory());
    const shown = buildStateSnapshot(input);
    expect([shown.counts[list], shown[list].length]).toEqual([MANY, LIST_LIMITS[list]]);
    const ids = shown[list].map(({ issue_id }) => issue_id);
    expect(ids).toContain(first);
    expect(ids).toEqual(ids.toSorted());
    const hidden = names.find((id) => !ids.includes(id)) ?? '';
    expect(buildIssueDetail(input, hidden)?.status).toBe(list);
  });

  it('cuts texts that nobody reads to their end', () => {
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 0 }).start();
    fixture.list(makeIssue('a', { title: 'x'.repeat(1_000_000) }));
    expect(JSON.stringify(buildStateSnapshot(inputOf(fixture, new RecentHistory()))).length).toBeLessThan(
      20_000,
    );
  });

  it('holds what agents say of their limits only while it is short', () => {
    const fixture = new SchedulerFixture().start().list(makeIssue('a'));
    for (let n = 0; n < 500; n += 1)
      fixture.agent('a', { type: 'rate_limits', rateLimits: { [`key${n}`]: n, big: 'x'.repeat(100_000) } });
    const { rate_limits: limits } = buildStateSnapshot(inputOf(fixture, new RecentHistory()));
    expect(Object.keys(limits ?? {}).length).toBeLessThanOrEqual(50);
    expect(limits).toMatchObject({ key499: 499 });
    expect(JSON.stringify(limits).length).toBeLessThan(20_000);
    expect(Object.keys(fixture.activity.view.rateLimits ?? {}).length).toBeLessThanOrEqual(50);
  });
});
