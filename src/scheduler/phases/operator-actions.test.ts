import { describe, expect, it } from 'vitest';
import { makeIssue, SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import { ACTION_NAMES, type ActionName, type OperatorAction } from '../../contract/actions.ts';
import type { SchedulerSettings } from '../core/settings.ts';

const a = makeIssue('a');

const actionOf = (kind: ActionName): OperatorAction =>
  ({ kind, issue: 'a', text: 'go on', by: 'ada' }) as OperatorAction;

/** Every situation an action can meet, by what it is called. */
const SITUATIONS: Readonly<Record<string, () => SchedulerFixture>> = {
  'an unknown issue': () => new SchedulerFixture().start(),
  'a live run': () => new SchedulerFixture().start().list(a),
  'a run being stopped': () =>
    new SchedulerFixture().start().list(a).act({ kind: 'stop', issue: 'a', by: 'ada' }),
  'a question': () =>
    new SchedulerFixture()
      .start()
      .list(a)
      .end('a', { kind: 'input_required', method: 'ask', question: 'Which?' }),
  'a waiting retry': () =>
    new SchedulerFixture().start().list(a).end('a', { kind: 'failed', code: 'x', message: 'broke' }),
  'a due retry of a paused worker': () =>
    new SchedulerFixture()
      .start()
      .list(a)
      .act({ kind: 'pause', by: 'ada' })
      .end('a', { kind: 'failed', code: 'x', message: 'broke' })
      .advance(3_600_000),
  'a push under way': () =>
    new SchedulerFixture()
      .start()
      .list(a)
      .end('a', { kind: 'input_required', method: 'ask', question: 'Which?' })
      .act({ kind: 'push', issue: 'a', by: 'ada' }),
};

describe('the answer to an action and its effect', () => {
  it.each(Object.keys(SITUATIONS).flatMap((name) => ACTION_NAMES.map((kind) => [kind, name] as const)))(
    'never disagree: %s on %s',
    (kind, name) => {
      const fixture = SITUATIONS[name]?.() ?? new SchedulerFixture();
      const answer = fixture.answer(actionOf(kind));
      const { state } = fixture;
      fixture.act(actionOf(kind));
      const changed =
        fixture.commands.length > 0 ||
        fixture.state.paused !== state.paused ||
        fixture.state.claims !== state.claims;
      expect(changed).toBe('changes' in answer && answer.changes);
    },
  );
});

describe('what an operator can have pushed', () => {
  const held = (pushBy: SchedulerSettings['pushBy']): SchedulerFixture =>
    new SchedulerFixture({ pushBy }).send({
      type: 'started',
      records: [],
      workspaces: [{ issueId: 'a', identifier: 'A' }],
    });
  const push = { kind: 'push', issue: 'a', by: 'ada' } as const;

  it('anything with a workspace, where the worker pushes', () => {
    expect(held('worker').act(push).sent('push_branch')).toEqual([
      { type: 'push_branch', issueId: 'a', identifier: 'A', commit: null },
    ]);
  });

  it.each<[SchedulerSettings['pushBy'], string, string]>([
    [null, 'has no repository', 'repo.clone_url'],
    ['agent', 'is pushed by its agent only', 'repo.push to worker'],
  ])('nothing where %j pushes, and the fix is named', (pushBy, why, fix) => {
    expect(held(pushBy).answer(push)).toMatchObject({
      refused: 'action_not_applicable',
      why: expect.stringContaining(why),
      hint: expect.stringContaining(fix),
    });
    expect(held(pushBy).act(push).sent('push_branch')).toEqual([]);
  });
});

it('names the issue and where it stands in a refusal', () => {
  const fixture = new SchedulerFixture().start().list(a);
  expect(fixture.answer({ kind: 'retry', issue: 'a', by: 'ada' })).toEqual({
    refused: 'action_not_applicable',
    why: 'A is neither blocked nor waiting for a retry (it is running)',
    hint: 'Run `aiops status A` for what it waits for.',
  });
});
