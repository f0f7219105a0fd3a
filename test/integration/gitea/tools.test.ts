import { afterEach, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { currentIssue, never } from '../../contracts/tracker-stage.ts';
import { createGiteaStage, type GiteaStage } from '../../fakes/gitea/stage.ts';

let stage: GiteaStage | null = null;
afterEach(async () => {
  await stage?.dispose();
  stage = null;
});

/** The own issue is #2; #1 is another; #3 is the own pull request, #4 somebody else's. */
async function open(): Promise<{ on: GiteaStage; call(name: string, input: unknown): Promise<ToolResult> }> {
  const on = await createGiteaStage([
    { key: 'A', state: 'Todo' },
    { key: 'B', state: 'In Progress', labels: ['bug'] },
  ]);
  stage = on;
  on.fake.store.add({ title: 'Mine', pull: { head: 'ai/2', base: 'main', headRepository: 'octo/app' } });
  on.fake.store.add({ title: 'Theirs', pull: { head: 'x', base: 'main', headRepository: 'octo/app' } });
  const issue: Issue = await currentIssue(on, 'B');
  return {
    on,
    call: (name, input) => on.tracker.tools.execute({ name, arguments: input }, { issue, signal: never }),
  };
}

const R = '/repos/octo/app';
const HOSTILE: readonly (readonly [string, unknown])[] = [
  ['gitea_issue_labels', { issue_number: 1, labels: ['aiops/done'] }],
  ['gitea_issue_labels', { issue_number: 2, labels: ['aiops/done', 'aiops/todo'] }],
  ['gitea_issue_labels', { issue_number: 2, labels: [] }],
  ['gitea_issue_labels', { issue_number: 2, labels: ['bug'] }],
  ['gitea_issue_labels', { issue_number: 2, labels: ['aiops/unknown'] }],
  ['gitea_issue_labels', { issue_number: '2', labels: ['aiops/done'] }],
  ['gitea_issue_labels', { issue_number: 2.5, labels: ['aiops/done'] }],
  ['gitea_issue_labels', { issue_number: 2, labels: ['aiops/human-review'], close_issue: true }],
  ['gitea_issue_labels', { issue_number: 2, labels: ['aiops/done'], repo: 'octo/secret' }],
  ['gitea_api', { method: 'GET', path: `${R}/issues/1` }],
  ['gitea_api', { method: 'GET', path: `${R}/issues` }],
  ['gitea_api', { method: 'GET', path: '/repos/octo/secret/issues/2' }],
  ['gitea_api', { method: 'GET', path: '/api/v1/api/v1/user' }],
  ['gitea_api', { method: 'GET', path: '/user' }],
  ['gitea_api', { method: 'GET', path: '/admin/users' }],
  ['gitea_api', { method: 'GET', path: `${R}/issues/2`, params: { sudo: 'admin' } }],
  ['gitea_api', { method: 'GET', path: `${R}/issues/2`, params: { token: 'x' } }],
  ['gitea_api', { method: 'GET', path: `${R}/%2e%2e/secret/issues/2` }],
  ['gitea_api', { method: 'GET', path: `${R}/issues/2%2f..%2f1` }],
  ['gitea_api', { method: 'POST', path: `${R}/issues/2/labels`, body: { labels: [1] } }],
  ['gitea_api', { method: 'PUT', path: `${R}/issues/2/labels`, body: { labels: [1] } }],
  ['gitea_api', { method: 'DELETE', path: `${R}/issues/2/labels/1` }],
  ['gitea_api', { method: 'PATCH', path: `${R}/issues/2`, body: { state: 'open' } }],
  ['gitea_api', { method: 'PATCH', path: `${R}/issues/2`, body: { title: 'x', state: 'closed' } }],
  ['gitea_api', { method: 'POST', path: `${R}/issues/2/dependencies`, body: { index: 1 } }],
  ['gitea_api', { method: 'POST', path: `${R}/pulls/3/merge`, body: { Do: 'merge' } }],
  ['gitea_api', { method: 'PATCH', path: `${R}/pulls/3`, body: { state: 'closed' } }],
  ['gitea_api', { method: 'PATCH', path: `${R}/pulls/4`, body: { title: 'x' } }],
  ['gitea_api', { method: 'PATCH', path: `${R}/pulls/2`, body: { title: 'x' } }],
  ['gitea_api', { method: 'POST', path: `${R}/issues/4/comments`, body: { body: 'x' } }],
  ['gitea_api', { method: 'POST', path: `${R}/pulls`, body: { title: 'x', head: 'other', base: 'main' } }],
  [
    'gitea_api',
    { method: 'POST', path: `${R}/pulls`, body: { title: 'x', head: 'evil:ai/2', base: 'main' } },
  ],
  ['gitea_api', { method: 'POST', path: `${R}/contents/x`, body: { content: '' } }],
  ['gitea_api', { method: 'POST', path: `${R}/hooks`, body: {} }],
  ['gitea_api', { method: 'DELETE', path: R }],
];

it('refuses every hostile call and changes nothing', async () => {
  const { on, call } = await open();
  const before = JSON.stringify([...on.fake.store.issues]);
  for (const [name, input] of HOSTILE) {
    expect(await call(name, input), JSON.stringify(input)).toMatchObject({
      success: false,
      error: { code: expect.stringMatching(/^(not_allowed|invalid_arguments|unknown_label)$/) },
    });
  }
  expect(JSON.stringify([...on.fake.store.issues])).toBe(before);
  expect(on.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('lets legitimate calls through', async () => {
  const { call } = await open();
  for (const input of [
    { method: 'GET', path: R },
    { method: 'GET', path: `/api/v1${R}/issues/2` },
    { method: 'GET', path: `${R}/issues/2/comments` },
    { method: 'GET', path: `${R}/issues/2/dependencies`, params: { limit: 10 } },
    { method: 'GET', path: `${R}/issues/2/timeline` },
    { method: 'GET', path: `${R}/labels` },
    { method: 'GET', path: `${R}/pulls`, params: { state: 'open' } },
    { method: 'GET', path: `${R}/pulls/4` },
    { method: 'GET', path: `${R}/branches/ai%2F2` },
    { method: 'GET', path: `${R}/commits/main/status` },
    { method: 'POST', path: `${R}/issues/2/comments`, body: { body: 'x' } },
    { method: 'PATCH', path: `${R}/issues/2`, body: { body: 'x' } },
    { method: 'POST', path: `${R}/pulls`, body: { title: 'Fixes #2', head: 'y', base: 'main' } },
    { method: 'PATCH', path: `${R}/pulls/3`, body: { title: 'x' } },
    { method: 'POST', path: `${R}/pulls/3/requested_reviewers`, body: { reviewers: ['ada'] } },
    { method: 'POST', path: `${R}/issues/3/comments`, body: { body: 'x' } },
  ]) {
    expect(await call('gitea_api', input), JSON.stringify(input)).toMatchObject({ success: true });
  }
});

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
