import { describe, expect, it } from 'vitest';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { emptyState, richState } from '../../../test/integration/server/state-fixture.ts';
import { deriveAlerts } from './derive-alerts.ts';
import { deriveBlocked } from './derive-blocked.ts';
import { deriveEnded } from './derive-ended.ts';
import { deriveEvents } from './derive-events.ts';
import { deriveIssue, webAddress } from './derive-issue.ts';
import { deriveFacts, deriveKpis, describeCounts, describeTab } from './derive-overview.ts';
import { deriveRetrying, deriveWaiting } from './derive-queue.ts';
import { deriveRunning } from './derive-running.ts';

const NOW = Date.parse('2026-07-01T09:30:00Z');
const rich = richState(NOW);
const empty = emptyState(NOW);

function first<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}

describe('deriveRunning', () => {
  it('shows the activity, the turn and the tokens', () => {
    expect(first(deriveRunning(rich, NOW))).toMatchObject({
      issue: { identifier: 'DEMO-11' },
      phase: 'Working',
      turnLabel: 'turn 2 of 6',
      activityAge: '1s ago',
      quiet: false,
      runtime: '3m 13s',
      tokens: '197k',
      branch: 'ai/DEMO-11',
      facts: ['mock · mock-1', 'pid 4711'],
    });
  });

  it('names an agent whose model has the same name once', () => {
    const row = { ...first(rich.running), agent_provider: 'mock', agent_model: 'mock' };
    expect(first(deriveRunning({ ...rich, running: [row] }, NOW)).facts[0]).toBe('mock');
  });

  it('ticks between snapshots', () => {
    expect(first(deriveRunning(rich, NOW + 2_500)).runtime).toBe('3m 15s');
  });

  it('marks an agent that has gone quiet, also one that never spoke', () => {
    expect(deriveRunning(rich, NOW)[1]).toMatchObject({ quiet: true, activityAge: 'quiet for 1m 14s' });
    expect(deriveRunning(rich, NOW)[2]).toMatchObject({
      quiet: false,
      activityAge: null,
      turnLabel: 'up to 6 turns',
    });
    expect(deriveRunning(rich, NOW + 60_000)[2]).toMatchObject({
      quiet: true,
      activityAge: 'quiet for 1m 02s',
    });
  });

  it('says what a phase without agent does, instead of an old line', () => {
    const row = first(rich.running);
    const finishing: StateSnapshot = { ...rich, running: [{ ...row, phase: 'Finishing' }] };
    expect(first(deriveRunning(finishing, NOW)).activity).toBe('Collecting what the run left behind');
  });
});

describe('deriveRetrying and deriveWaiting', () => {
  it('puts the one that is due first on top and counts down', () => {
    const rows = deriveRetrying(rich, NOW);
    expect(rows.map((row) => [row.issue.identifier, row.kind, row.due])).toEqual([
      ['DEMO-10', 'More turns', 'in 1s'],
      ['DEMO-9', 'After a failure', 'in 34s'],
    ]);
    expect(deriveRetrying(rich, NOW + 5_000)[0]?.due).toBe('due now');
  });

  it('keeps the order and the reasons of what waits', () => {
    expect(deriveWaiting(rich).map((row) => row.reason)).toEqual([
      'all 3 agent slots are busy',
      'blocked by DEMO-11 (In Progress)',
    ]);
  });
});

describe('deriveBlocked', () => {
  it('puts the longest wait first and says what to do', () => {
    const [question, turns] = deriveBlocked(rich, NOW);
    expect(question).toMatchObject({
      heading: 'Asks a question',
      age: '22m ago',
      spent: '33.6k tokens, 1m 06s',
    });
    expect(question?.question).toContain('nightly image');
    expect(question?.todo).toContain('Answer it here');
    expect(turns).toMatchObject({ heading: 'Used up its turns', question: null });
    expect(turns?.todo).toContain('agent.budgets.issue.turns');
  });

  it.each(['budget_exceeded', 'no_progress', 'operator', 'applyPatchApproval', 'toString'])(
    'has advice for %s',
    (method) => {
      const { question: _question, ...row } = first(rich.blocked);
      const view = first(deriveBlocked({ ...rich, blocked: [{ ...row, method }] }, NOW));
      expect(view.todo).toMatch(/try again/i);
    },
  );

  it('offers a push, and no run, for a hand-over that was not pushed', () => {
    const { question: _question, ...row } = first(rich.blocked);
    const view = first(deriveBlocked({ ...rich, blocked: [{ ...row, method: 'not_pushed' }] }, NOW));
    expect(view).toMatchObject({ heading: 'Not pushed', notPushed: true });
    expect(view.todo).toContain('Push it');
    expect(view.todo).not.toMatch(/try again/i);
  });

  it('does not say a question twice', () => {
    const row = { ...first(rich.blocked), question: 'Which one?', error: 'the agent asks: Which one?' };
    expect(first(deriveBlocked({ ...rich, blocked: [row] }, NOW)).reason).toBeNull();
  });
});

describe('deriveEnded', () => {
  it('gives every outcome a word and a tone', () => {
    expect(deriveEnded(rich.ended, NOW).map((row) => [row.outcome, row.tone])).toEqual([
      ['Delivered', 'good'],
      ['Blocked', 'attention'],
      ['Failed', 'bad'],
      ['Progressed', 'plain'],
      ['Canceled', 'plain'],
      ['Stalled', 'bad'],
    ]);
  });

  it.each([
    [3, true, '3 commits pushed'],
    [1, false, '1 commit not pushed'],
    [2, null, '2 commits'],
    [0, false, '0 commits'],
    [null, true, null],
  ])('%s commits, pushed %s: %s', (commits, pushed, text) => {
    const run = { ...first(rich.ended), commits, pushed };
    expect(first(deriveEnded([run], NOW)).commits).toBe(text);
  });
});

describe('deriveEvents', () => {
  it('colours by kind and keeps keys apart when an event repeats', () => {
    const event = first(rich.recent_events);
    const rows = deriveEvents({ ...rich, recent_events: [event, event] });
    expect(new Set(rows.map((row) => row.key)).size).toBe(2);
    expect(deriveEvents(rich).map((row) => row.label)).toEqual([null, null, null, null, null]);
    const removed = { ...event, kind: 'workspace_removed', message: 'the issue is terminal' };
    expect(first(deriveEvents({ ...rich, recent_events: [removed] })).label).toBe('workspace removed');
    expect(deriveEvents(rich).map((row) => row.tone)).toEqual([
      'plain',
      'attention',
      'good',
      'attention',
      'plain',
    ]);
  });
});

describe('deriveAlerts', () => {
  it('is silent while all is well', () => expect(deriveAlerts(rich, NOW)).toEqual([]));

  it('tells what keeps the worker from working, and the fix', () => {
    const broken: StateSnapshot = {
      ...rich,
      preflight: { ok: false, errors: [{ code: 'x', message: 'no key', hint: 'Set LINEAR_API_KEY.' }] },
      config: { ...rich.config, reload_error: 'line 3: bad' },
      last_poll: {
        at: new Date(NOW - 4_000).toISOString(),
        duration_ms: 9,
        ok: false,
        candidates: 0,
        requests: null,
        not_modified: null,
      },
    };
    expect(deriveAlerts(broken, NOW).map((alert) => [alert.severity, alert.detail])).toEqual([
      ['error', 'no key. Set LINEAR_API_KEY.'],
      ['warning', 'line 3: bad'],
      ['error', 'The worker log says why.'],
    ]);
  });
});

describe('deriveIssue', () => {
  it.each([
    ['https://tracker.example/1', 'https://tracker.example/1'],
    ['http://127.0.0.1:3000/1', 'http://127.0.0.1:3000/1'],
    ['javascript:alert(1)', null],
    ['JavaScript:alert(1)', null],
    ['data:text/html,x', null],
    ['file:///etc/passwd', null],
    ['/relative', null],
    ['', null],
    [null, null],
  ])('links %s to %s', (url, expected) => expect(webAddress(url)).toBe(expected));

  it('falls back to the id and to the worker record', () => {
    const row = { issue_id: 'a/b', issue_identifier: '', issue_url: null, title: 't' };
    expect(deriveIssue(row)).toEqual({
      identifier: 'a/b',
      title: 't',
      url: null,
      recordUrl: '/api/v1/a%2Fb',
      runUrl: null,
    });
  });
});

describe('overview', () => {
  it('counts, and calls only when something needs a person', () => {
    expect(deriveKpis(rich, NOW).map((kpi) => [kpi.label, kpi.value, kpi.note, kpi.calls])).toEqual([
      ['Running', '3', 'of 3 slots', false],
      ['Waiting', '2', 'all 3 agent slots are busy', false],
      ['Retrying', '2', 'next in 1s', false],
      ['Blocked', '2', 'needs you', true],
      ['Delivered', '4', 'since the worker started', false],
    ]);
    expect(deriveKpis(empty, NOW).every((kpi) => kpi.isZero && !kpi.calls)).toBe(true);
  });

  it('adds the time of live runs to the agent time as it passes', () => {
    const agentTime = (now: number) =>
      deriveFacts(rich, now).find((fact) => fact.label === 'Agent time')?.value;
    expect([agentTime(NOW), agentTime(NOW + 2_000)]).toEqual(['30m 43s', '30m 49s']);
  });

  it('says when polls were and will be', () => {
    const value = (state: StateSnapshot, label: string) =>
      deriveFacts(state, NOW).find((fact) => fact.label === label)?.value;
    expect([value(rich, 'Last poll'), value(rich, 'Next poll')]).toEqual([
      '4s ago, 9 candidates, 2 requests (1 unchanged)',
      'in 26s',
    ]);
    expect([value(empty, 'Last poll'), value(empty, 'Next poll')]).toEqual(['none yet', 'now']);
  });

  it('speaks to screen readers and in the tab', () => {
    expect(describeCounts(rich)).toBe('3 running, 2 waiting, 2 retrying, 2 blocked, 4 delivered');
    expect(describeTab(rich, true)).toBe('3 running, 2 blocked · aiops');
    expect(describeTab(empty, true)).toBe('0 running · aiops');
    expect(describeTab(rich, false)).toBe('aiops: disconnected');
    expect(describeTab(null, false)).toBe('aiops: disconnected');
  });
});
