import { type ApiCall, HOSTILE as HOSTILE_ON_GITHUB } from '../github/hostile-requests.ts';

/** Tool and arguments. The own issue is #3 of octo/app, its pull request #4; #5 and #6 are others'. */
export type ToolTry = readonly [tool: string, input: unknown];

const R = '/repos/octo/app';

function api(call: ApiCall): ToolTry {
  return ['gitea_api', call];
}
function labels(input: unknown): ToolTry {
  return ['gitea_issue_labels', input];
}

const labelTricks: readonly ToolTry[] = [
  labels({ issue_number: 1, labels: ['aiops/done'] }),
  labels({ issue_number: 3, labels: ['aiops/done', 'aiops/todo'] }),
  labels({ issue_number: 3, labels: [] }),
  labels({ issue_number: 3, labels: ['bug'] }),
  labels({ issue_number: 3, labels: ['aiops/unknown'] }),
  labels({ issue_number: 3, labels: ['aiops/todo\u0000'] }),
  labels({ issue_number: 3, labels: [{ name: 'aiops/todo' }] }),
  labels({ issue_number: '3', labels: ['aiops/done'] }),
  labels({ issue_number: 3.5, labels: ['aiops/done'] }),
  labels({ issue_number: -3, labels: ['aiops/done'] }),
  labels({ issue_number: 3, labels: ['aiops/human-review'], close_issue: true }),
  labels({ issue_number: 3, labels: ['aiops/done'], close_issue: 'yes' }),
  labels({ issue_number: 3, labels: ['aiops/done'], repo: 'octo/secret' }),
  labels({ labels: ['aiops/done'] }),
  labels(['aiops/done']),
  labels(null),
];

/** What only Gitea has. */
const ownTricks: readonly ToolTry[] = [
  { method: 'GET', path: '/api/v1/api/v1/user' },
  { method: 'GET', path: '/admin/users' },
  { method: 'GET', path: '/users/boss/tokens' },
  { method: 'GET', path: `${R}/issues/3`, params: { sudo: 'admin' } },
  { method: 'GET', path: `${R}/issues/3`, params: { token: 'x' } },
  { method: 'GET', path: `${R}/raw/.env` },
  { method: 'GET', path: `${R}/actions/variables` },
  { method: 'POST', path: `${R}/issues/3/labels`, body: { labels: [1] } },
  { method: 'PUT', path: `${R}/issues/3/labels`, body: { labels: [1] } },
  { method: 'DELETE', path: `${R}/issues/3/labels/1` },
  { method: 'POST', path: `${R}/issues/3/dependencies`, body: { index: 1 } },
  { method: 'POST', path: `${R}/issues/3/blocks`, body: { index: 1 } },
  { method: 'POST', path: `${R}/issues/3/deadline`, body: { due_date: null } },
  { method: 'POST', path: `${R}/issues/3/times`, body: { time: 1 } },
  { method: 'POST', path: `${R}/pulls/4/merge`, body: { Do: 'merge' } },
  { method: 'POST', path: `${R}/pulls/4/update`, body: {} },
  { method: 'POST', path: `${R}/pulls`, body: { title: 'x', head: 'ai/3', base: 'main', labels: [1] } },
  { method: 'POST', path: `${R}/contents/x`, body: { content: '' } },
  { method: 'POST', path: `${R}/hooks`, body: {} },
  { method: 'POST', path: `${R}/transfer`, body: { new_owner: 'evil' } },
  { method: 'POST', path: '/admin/users', body: { username: 'evil' } },
].map(api);

export const HOSTILE: readonly ToolTry[] = [...HOSTILE_ON_GITHUB.map(api), ...ownTricks, ...labelTricks];

export const LEGITIMATE: readonly ToolTry[] = [
  ...[
    { method: 'GET', path: R },
    { method: 'GET', path: '/repos/OCTO/App' },
    { method: 'GET', path: `/api/v1${R}/issues/3` },
    { method: 'GET', path: `${R}/issues/3/comments` },
    { method: 'GET', path: `${R}/issues/3/labels` },
    { method: 'GET', path: `${R}/issues/3/dependencies`, params: { limit: 10 } },
    { method: 'GET', path: `${R}/issues/3/blocks` },
    { method: 'GET', path: `${R}/issues/3/timeline` },
    { method: 'GET', path: `${R}/labels` },
    { method: 'GET', path: `${R}/pulls`, params: { state: 'open' } },
    { method: 'GET', path: `${R}/pulls/5` },
    { method: 'GET', path: `${R}/pulls/4/reviews` },
    { method: 'GET', path: `${R}/branches/ai%2F3` },
    { method: 'GET', path: `${R}/commits/main/status` },
    { method: 'POST', path: `${R}/issues/3/comments`, body: { body: 'x' } },
    { method: 'PATCH', path: `${R}/issues/3`, body: { body: 'x' } },
    { method: 'POST', path: `${R}/pulls`, body: { title: 'Fixes #3', head: 'y', base: 'main' } },
    { method: 'PATCH', path: `${R}/pulls/4`, body: { title: 'x' } },
    { method: 'POST', path: `${R}/pulls/4/requested_reviewers`, body: { reviewers: ['ada'] } },
    { method: 'POST', path: `${R}/issues/4/comments`, body: { body: 'x' } },
  ].map(api),
  labels({ issue_number: 3, labels: ['aiops/in-progress'] }),
  labels({ issue_number: 3, labels: ['aiops/human-review'] }),
];
