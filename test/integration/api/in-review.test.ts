import { expect, it } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import type { Survey } from '../../../src/domain/survey.ts';
import { RecentHistory } from '../../../src/orchestrator/history/recent-history.ts';
import { buildStateSnapshot } from '../../../src/orchestrator/snapshot/state-snapshot.ts';
import { current, makeIssue, SchedulerFixture } from '../../fakes/scheduler-fixture.ts';

const issue = makeIssue('a', { identifier: 'ENG-1' });
const reviewed = { ...issue, state: 'Human Review' };
const PUSHED = { newCommits: 1, commitsAhead: 1, pushed: true };

function inReview(
  fixture: SchedulerFixture,
  history: RecentHistory,
  survey: Survey | null = null,
): readonly EndedRun[] {
  const { state, settings, now } = fixture;
  const config = { workflowPath: '/flows/WORKFLOW.md', tracker: { kind: 'local' } } as Config;
  return (
    buildStateSnapshot({
      ...{ state, history, now, survey, startedAt: 0, version: '0', reloadError: null },
      activity: fixture.activity.view,
      workflow: { config, tracker: null, tools: null, settings },
      journal: { ok: true, path: null, problem: null },
    }).in_review ?? []
  );
}

function deliver(): { readonly fixture: SchedulerFixture; readonly history: RecentHistory } {
  const fixture = new SchedulerFixture({ maxConcurrentAgents: 1 }).start().list(issue);
  const history = new RecentHistory();
  fixture.turn('a', 1, current(reviewed), PUSHED).end('a', { kind: 'completed' }, 1, PUSHED);
  for (const { run } of fixture.sent('record_run')) history.addRun(run);
  return { fixture, history };
}

it('is what was delivered and waits for a person', () => {
  const { fixture, history } = deliver();
  expect(history.runs[0]?.outcome.kind).toBe('delivered');
  expect(inReview(fixture, history)).toMatchObject([{ issue_identifier: 'ENG-1', outcome: 'delivered' }]);
});

it('is no longer what somebody works on again', () => {
  const { fixture, history } = deliver();
  fixture.poll([issue]);
  expect(inReview(fixture, history)).toEqual([]);
});

it('is known after a restart where the tracker still lists the issue, and not of one that is finished', () => {
  const { history } = deliver();
  const later = new SchedulerFixture().start();
  const survey: Survey = {
    others: [{ id: 'a', identifier: 'ENG-1', state: 'Human Review' }],
    complete: true,
    finished: 0,
    knownStates: null,
    ignored: [],
  };
  expect(inReview(later, history, survey)).toHaveLength(1);
  expect(inReview(later, history, { ...survey, others: [] })).toEqual([]);
});
