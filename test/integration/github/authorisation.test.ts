import { afterEach, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { currentIssue, never } from '../../contracts/tracker-fixture.ts';
import { createGithubFixture, type GithubFixture } from '../../fakes/github/fixture.ts';
import { FAKE_TOKEN } from '../../fakes/github/server.ts';
import { type ApiCall, HOSTILE, LEGITIMATE } from './hostile-requests.ts';

let fixture: GithubFixture | null = null;
afterEach(async () => {
  await fixture?.dispose();
  fixture = null;
});

/** Issues #1, #2 and the own #3; own pull request #4; others' #5 (a branch) and #6 (a fork that claims #3). */
async function open(): Promise<{ fixture: GithubFixture; own: Issue }> {
  const opened = await createGithubFixture([
    { key: 'A', state: 'Todo' },
    { key: 'B', state: 'Todo' },
    { key: 'C', state: 'In Progress', labels: ['bug'] },
  ]);
  fixture = opened;
  const { store } = opened.fake;
  store.add({ title: 'Mine', pull: { head: 'ai/3', base: 'main', headRepository: 'octo/app' } });
  store.add({ title: 'About #3', pull: { head: 'feature', base: 'main', headRepository: 'octo/app' } });
  store.add({ title: 'Closes #3', pull: { head: 'x', base: 'main', headRepository: 'evil/app' } });
  return { fixture: opened, own: await currentIssue(opened, 'C') };
}

function call(on: GithubFixture, issue: Issue, input: unknown): Promise<ToolResult> {
  return on.tracker.tools.execute({ name: 'github_api', arguments: input }, { issue, signal: never });
}

it('has a corpus worth the name', () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(150);
  expect(LEGITIMATE.length).toBeGreaterThanOrEqual(25);
});

it('refuses every hostile request, sends nothing that writes, and changes nothing', async () => {
  const opened = await open();
  const before = JSON.stringify([...opened.fixture.fake.store.issues]);
  const passed: ApiCall[] = [];
  for (const hostile of HOSTILE) {
    const sent = opened.fixture.fake.requests.length;
    const result = await call(opened.fixture, opened.own, hostile);
    const requests = opened.fixture.fake.requests.slice(sent);
    const harmless = requests.every(
      ({ method, address }) => method === 'GET' && /\/pulls\/\d+$/.test(address),
    );
    if (result.success || !harmless) passed.push(hostile);
    else expect(['not_allowed', 'invalid_arguments']).toContain(result.error.code);
  }
  expect(passed).toEqual([]);
  expect(JSON.stringify([...opened.fixture.fake.store.issues])).toBe(before);
});

it('lets every legitimate request through', async () => {
  const { fixture: on, own } = await open();
  const refused: unknown[] = [];
  for (const legitimate of LEGITIMATE) {
    const result = await call(on, own, legitimate);
    if (!result.success) refused.push([legitimate, result.error]);
  }
  expect(refused).toEqual([]);
});

it('reports what a call changed', async () => {
  const { fixture: on, own } = await open();
  const [comment, pull, read] = [
    { method: 'POST', path: '/repos/octo/app/issues/3/comments', body: { body: 'x' } },
    { method: 'POST', path: '/repos/octo/app/pulls', body: { title: 'x', head: 'ai/3', base: 'main' } },
    { method: 'GET', path: '/repos/octo/app/issues/3' },
  ];
  expect(await call(on, own, comment)).toMatchObject({ success: true, effect: { kind: 'commented' } });
  expect(await call(on, own, pull)).toMatchObject({
    output: { status: 201 },
    effect: { kind: 'pull_request', url: 'https://github.com/octo/app/pull/7' },
  });
  expect(await call(on, own, read)).not.toHaveProperty('effect');
});

it('keeps the credential out of what is sent and out of what comes back', async () => {
  const { fixture: on, own } = await open();
  const path = '/repos/octo/app/issues/3/comments';
  await call(on, own, { method: 'POST', path, body: { body: `here: ${FAKE_TOKEN}` } });
  expect(JSON.stringify(on.fake.store.issue(3).comments)).not.toContain(FAKE_TOKEN);
  on.fake.store.issue(3).body = `leaked ${FAKE_TOKEN}`;
  const read = await call(on, own, { method: 'GET', path: '/repos/octo/app/issues/3' });
  expect(JSON.stringify(read)).toContain('leaked');
  expect(JSON.stringify(read)).not.toContain(FAKE_TOKEN);
  on.fake.failNext(/comments/, {
    kind: 'answer',
    status: 422,
    body: JSON.stringify({ message: `no ${FAKE_TOKEN}` }),
  });
  const failed = await call(on, own, { method: 'GET', path });
  expect(failed).toMatchObject({ success: false, error: { code: 'tracker_status' } });
  expect(JSON.stringify(failed)).toContain('422');
  expect(JSON.stringify(failed)).not.toContain(FAKE_TOKEN);
});

it('links a pull request of its own repository only', async () => {
  const { fixture: on, own } = await open();
  const link = (url: string): Promise<ToolResult> =>
    on.tracker.tools.execute({ name: 'pr_link', arguments: { url } }, { issue: own, signal: never });
  const web = on.fake.origin;
  for (const url of [
    `${web}/octo/secret/pull/4`,
    'https://evil.example/octo/app/pull/4',
    `${web}/octo/app/issues/4`,
    `${web}/octo/app/pull/4/../../../secret/pull/4`,
  ]) {
    expect(await link(url)).toMatchObject({ success: false, error: { code: 'not_allowed' } });
  }
  expect(await link(`${web}/octo/app/pull/99`)).toMatchObject({ error: { code: 'pull_request_not_found' } });
  for (const _ of [1, 2]) {
    expect(await link(`${web}/octo/app/pull/4`)).toMatchObject({
      effect: { kind: 'pull_request', url: 'https://github.com/octo/app/pull/4' },
    });
  }
  expect(await on.comments('C')).toEqual(['Pull request: #4']);
});

it('leaves alone what a person did while the issue was being moved', async () => {
  const { fixture: on, own } = await open();
  const { store } = on.fake;
  on.fake.failNext(/^POST .*\/issues\/3\/labels/, {
    kind: 'change',
    change(labels) {
      store.relabel(3, () => false, 'Cancelled');
      return [...(labels as object[]), { ...(labels as object[])[0], name: 'Cancelled' }];
    },
  });
  const moved = await on.tracker.tools.execute(
    { name: 'issue_move', arguments: { state: 'Human Review' } },
    { issue: own, signal: never },
  );
  expect(moved).toMatchObject({ success: false, error: { code: 'issue_changed' } });
  expect(store.issue(3).labels).toEqual(['In Progress', 'bug', 'Cancelled']);
});
