import { afterEach, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { currentIssue, never } from '../../contracts/tracker-fixture.ts';
import { createGiteaFixture, type GiteaFixture } from '../../fakes/gitea/fixture.ts';

let fixture: GiteaFixture | null = null;
afterEach(async () => {
  await fixture?.dispose();
  fixture = null;
});

/** The own issue is #2; #1 is another. */
async function open(): Promise<{
  on: GiteaFixture;
  call(name: string, input: unknown): Promise<ToolResult>;
}> {
  const on = await createGiteaFixture([
    { key: 'A', state: 'Todo' },
    { key: 'B', state: 'In Progress', labels: ['bug'] },
  ]);
  fixture = on;
  const issue: Issue = await currentIssue(on, 'B');
  return {
    on,
    call: (name, input) => on.tracker.tools.execute({ name, arguments: input }, { issue, signal: never }),
  };
}

it('sets exactly one state label, keeps the others, and reports the hand-off', async () => {
  const { on, call } = await open();
  const input = { issue_number: 2, labels: ['aiops/human-review'] };
  expect(await call('gitea_issue_labels', input)).toMatchObject({
    success: true,
    effect: { kind: 'state_changed', from: 'In Progress', to: 'Human Review' },
  });
  expect(on.fake.store.issue(2).labels).toEqual(['bug', 'aiops/human-review']);
  expect(await call('gitea_issue_labels', input)).not.toHaveProperty('effect');
  expect(await call('gitea_issue_labels', { issue_number: 2, labels: ['aiops/todo'] })).toMatchObject({
    error: { code: 'issue_on_hold' },
  });
});

it('closes with a terminal label, and puts the labels back when the server refuses to close', async () => {
  const { on, call } = await open();
  on.fake.store.issue(2).blockedBy.push(1);
  const input = { issue_number: 2, labels: ['aiops/done'], close_issue: true };
  expect(await call('gitea_issue_labels', input)).toMatchObject({ error: { code: 'tracker_status' } });
  expect(on.fake.store.issue(2)).toMatchObject({ closed: false, labels: ['bug', 'aiops/in-progress'] });
  on.fake.store.issue(2).blockedBy.pop();
  expect(await call('gitea_issue_labels', input)).toMatchObject({ success: true });
  expect(on.fake.store.issue(2)).toMatchObject({ closed: true, labels: ['bug', 'aiops/done'] });
  expect(await call('issue_move', { state: 'In Progress' })).toMatchObject({
    error: { code: 'issue_closed' },
  });
});

it('says what to do when the repository lacks the label', async () => {
  const { on, call } = await open();
  const { labels } = on.fake.store;
  labels.splice(
    labels.findIndex(({ name }) => name === 'aiops/human-review'),
    1,
  );
  expect(await call('issue_move', { state: 'Human Review' })).toMatchObject({
    error: { code: 'label_missing', message: expect.stringContaining('aiops labels sync') },
  });
});
