import { describe, expect, it } from 'vitest';
import type { RunDetail } from '../../../../src/contract/runs.ts';
import { richState } from '../../../../test/integration/server/state-fixture.ts';
import { branchAddress } from './branch-address.ts';
import { deriveRun } from './derive-run.ts';

const NOW = Date.parse('2026-07-01T09:30:00Z');
const rich = richState(NOW);
const [running] = rich.running;
const [ended] = rich.ended;
if (running === undefined || ended === undefined) throw new Error('the sample has no runs');

const detail = (over: Partial<RunDetail>): RunDetail => ({
  run_id: running.run_id,
  issue_identifier: running.issue_identifier,
  status: 'live',
  running,
  ended: null,
  facts: null,
  timeline: null,
  ...over,
});

describe('deriveRun', () => {
  it('takes the newer numbers of the state while the run goes on', () => {
    const view = deriveRun(detail({ running: { ...running, turn_count: 0 } }), rich, NOW);
    expect(view).toMatchObject({ live: true, status: 'Running', identifier: running.issue_identifier });
    expect(view.vitals.find(({ label }) => label === 'Turns')?.value).toBe(
      `${running.turn_count} of ${running.max_turns}`,
    );
  });

  it('says how a run ended, and whether its commits can be seen', () => {
    const view = deriveRun(
      detail({
        run_id: ended.run_id,
        status: 'ended',
        running: null,
        ended: { ...ended, outcome: 'stalled', commits: 2, pushed: false },
      }),
      rich,
      NOW,
    );
    expect(view).toMatchObject({ live: false, status: 'Stalled', tone: 'bad', unpushed: true });
    expect(view.facts.find(({ label }) => label === 'Commits')?.value).toMatch(/^2 ahead of the base/);
  });

  it('says that a run was lost with its worker', () => {
    const view = deriveRun(detail({ run_id: 'gone', status: 'lost', running: null }), null, NOW);
    expect(view).toMatchObject({ live: false, status: 'Lost', identifier: running.issue_identifier });
  });

  it('links to web pages only', () => {
    const hostile = { ...ended, issue_url: 'javascript:alert(1)', pull_request_url: 'data:text/html,x' };
    const view = deriveRun(detail({ running: null, ended: hostile, status: 'ended' }), null, NOW);
    expect([view.issueUrl, view.pullRequestUrl, view.branchUrl]).toEqual([null, null, null]);
  });
});

it.each([
  ['https://github.com/o/r/pull/5', 'https://github.com/o/r/tree/ai/x%231'],
  ['https://git.example/o/r/pulls/5/files', 'https://git.example/o/r/src/branch/ai/x%231'],
  ['https://gitlab.example/g/o/r/-/merge_requests/5', 'https://gitlab.example/g/o/r/-/tree/ai/x%231'],
  ['https://elsewhere.example/5', null],
])('finds the branch beside %s', (pullRequest, address) => {
  expect(branchAddress(pullRequest, 'ai/x#1')).toBe(address);
});
