import { describe, expect, it } from 'vitest';
import { goState } from '../../test/fakes/go-state.ts';
import { readForeignState } from './foreign-state.ts';

const NOW = Date.parse('2026-07-01T09:30:01Z');

describe('readForeignState', () => {
  it('reads what the Go worker writes', () => {
    const state = readForeignState(goState(), NOW);
    expect(state).toMatchObject({
      version: '0.1.16',
      max_concurrent_agents: 4,
      counts: { running: 2, blocked: 1, retrying: 1, completed_total: 7, waiting: 0 },
      rate_limits: { limit_id: 'codex' },
      config: { workflow_path: '/srv/flow/WORKFLOW.md' },
    });
    expect(state?.running[0]).toMatchObject({
      issue_identifier: 'ENG-41',
      started_at: '2026-07-01T09:18:00.000Z',
      codex_app_server_pid: 4242,
    });
    expect(state?.ended.map(({ outcome, summary }) => [outcome, summary])).toEqual([
      ['delivered', 'agent handoff reconcile stopped'],
    ]);
  });

  it('fills in what a row leaves out', () => {
    const state = readForeignState(goState(), NOW);
    expect(state?.running[1]).toMatchObject({
      issue_identifier: 'd4',
      title: '',
      issue_url: null,
      started_at: '2026-07-01T09:29:58.000Z',
    });
    expect(state?.operator_terminal_stops).toMatchObject([
      { issue_identifier: 'ENG-3', suppressed_dispatches: 2 },
    ]);
  });

  it('reads the little that Symphony writes', () => {
    const state = readForeignState(
      {
        generated_at: '2026-07-01T09:30:00Z',
        counts: { running: 0, retrying: 1 },
        running: [],
        retrying: [
          {
            issue_id: 'x',
            issue_identifier: 'AB-1',
            attempt: 3,
            due_at: '2026-07-01T09:31:00Z',
            error: 'boom',
          },
        ],
        codex_totals: { input_tokens: 1, output_tokens: 2, total_tokens: 3, seconds_running: 4 },
        rate_limits: null,
      },
      NOW,
    );
    expect(state).toMatchObject({
      retrying: [{ kind: 'failure', attempt: 3, error: 'boom' }],
      codex_totals: { total_tokens: 3 },
    });
  });

  it('leaves out a row that names no issue and takes odd values for nothing', () => {
    const document = {
      ...goState(),
      running: [{ state: 'x' }, null, { issue_id: 'ok', turn_count: 'many' }],
      codex_totals: 7,
    };
    expect(readForeignState(document, NOW)).toMatchObject({
      running: [{ issue_id: 'ok', turn_count: 0 }],
      codex_totals: { total_tokens: 0 },
    });
  });

  it.each([null, 7, [], {}, { running: {} }, { running: [], generated_at: 5 }])(
    'is nothing for %j',
    (document) => expect(readForeignState(document, NOW)).toBeNull(),
  );
});
