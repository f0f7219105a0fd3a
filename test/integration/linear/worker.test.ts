import { readFile, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startCli } from '../../e2e/cli/cli.ts';
import type { Fixture } from '../../e2e/cli/fixture.ts';
import { git } from '../../e2e/cli/git.ts';
import { waitFor } from '../../e2e/cli/wait.ts';
import { openFixture, startWorker } from '../../e2e/cli/worker-fixture.ts';
import { FAKE_KEY, FakeLinear } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';

async function openLinear(): Promise<{ fake: FakeLinear; fixture: Fixture }> {
  const fake = await FakeLinear.start();
  onTestFinished(() => fake.finish());
  const tracker = {
    kind: 'linear',
    endpoint: fake.url,
    project_slug: PROJECT_SLUG,
    terminal_states: ['Done', 'Cancelled'],
  };
  const fixture = await openFixture();
  const local = (await readFile(fixture.workflowPath, 'utf8')).replace(/tracker:\n(?: .*\n)+/, '');
  await writeFile(fixture.workflowPath, local.replace('---\n', `---\ntracker: ${JSON.stringify(tracker)}\n`));
  return { fake, fixture };
}

it('is not started without a credential, and says which variable to set', async () => {
  const { fake, fixture } = await openLinear();
  for (const value of [undefined, '', '  ']) {
    const env = value === undefined ? fixture.env : { ...fixture.env, LINEAR_API_KEY: value };
    const cli = startCli(['worker', '--port', '0', fixture.workflowPath], { cwd: fixture.directory, env });
    expect(await cli.exited).toEqual({ code: 1, signal: null });
    expect(cli.stderr()).toContain('LINEAR_API_KEY');
    expect(cli.stderr()).not.toContain('    at ');
  }
  expect(fake.requests).toEqual([]);
});

it('takes an issue from Linear to a pushed branch, a comment and a hand-off', async () => {
  const { fake, fixture } = await openLinear();
  const issue = fake.store.addIssue({ state: 'Todo', title: 'Add a page' });
  for (let count = 0; count < 60; count += 1) fake.store.addIssue({ state: 'Done' });
  const env = { ...fixture.env, LINEAR_API_KEY: FAKE_KEY };
  fake.headers = {
    'x-ratelimit-requests-limit': '2500',
    'x-ratelimit-requests-remaining': '2400',
    'x-ratelimit-requests-reset': String(Date.now() + 3_600_000),
  };
  const worker = await startWorker({ ...fixture, env });
  await waitFor('the issue is handed over', () => fake.store.stateOf(issue).name === 'Human Review', {
    describe: worker.stderr,
  });
  const run = await worker.until('the run is over', ({ ended }) => ended[0] ?? null);
  expect(run).toMatchObject({ issue_identifier: 'ENG-1', outcome: 'delivered', pushed: true });
  expect(fake.store.comments).toMatchObject([
    { issueId: issue.id, body: expect.stringContaining('The work is done') },
  ]);
  expect(git(fixture.remote, 'branch', '--list')).toContain(`ai/${issue.id}`);
  expect((await worker.client.state()).tracker).toMatchObject({
    kind: 'linear',
    requests_total: expect.any(Number),
    not_modified_total: 0,
    budget: { limit: 2500, remaining: 2400, reset_at: expect.stringMatching(/Z$/) },
    allowances: [{ name: 'requests', limit: 2500, remaining: 2400, reset_at: expect.stringMatching(/Z$/) }],
    paused_until: null,
    slowed_until: null,
  });
  expect(worker.stderr()).not.toContain(FAKE_KEY);
  await worker.end('SIGTERM');
});

it('stops the run of an issue that a person cancels, and goes on while Linear is out of order', async () => {
  const { fake, fixture } = await openLinear();
  const issue = fake.store.addIssue({
    state: 'Todo',
    description: '```mock\nbehaviour: hang\nwhen: after_commit\n```',
  });
  const worker = await startWorker({ ...fixture, env: { ...fixture.env, LINEAR_API_KEY: FAKE_KEY } });
  await worker.untilRunning('ENG-1');
  const wrong = {
    kind: 'answer',
    status: 502,
    body: '<html>',
    headers: { 'content-type': 'text/html' },
  } as const;
  const seen = fake.requests.length;
  for (let count = 0; count < 8; count += 1) fake.faults.push(wrong);
  await waitFor('two polls have failed', () => fake.requests.length >= seen + 9, { describe: worker.stderr });
  expect((await worker.client.state()).running).toMatchObject([{ issue_identifier: 'ENG-1' }]);
  fake.store.move(issue.id, 'Cancelled');
  const run = await worker.until('the run is over', ({ ended }) => ended[0] ?? null);
  expect(run).toMatchObject({ outcome: 'canceled', summary: expect.stringContaining('Cancelled') });
  expect(fake.store.stateOf(issue).name).toBe('Cancelled');
  await worker.end('SIGTERM');
});

it('does not stop a run for one short page that says it is the last; an issue that stays away is gone', async () => {
  const { fake, fixture } = await openLinear();
  fake.store.addIssue({
    state: 'Todo',
    description: '```mock\nbehaviour: hang\nwhen: after_commit\n```',
  });
  const worker = await startWorker({ ...fixture, env: { ...fixture.env, LINEAR_API_KEY: FAKE_KEY } });
  await worker.untilRunning('ENG-1');
  const asked = () => fake.requests.filter(({ operation }) => operation === 'IssuesByIds').length;
  const short = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
  let lies = 1;
  fake.failOn(/^IssuesByIds /, {
    kind: 'change',
    change(answer) {
      if (lies === 0) return answer;
      lies -= 1;
      return { data: { issues: short } };
    },
  });
  await waitFor('the lie is told', () => lies === 0, { describe: worker.stderr });
  const told = asked();
  await waitFor('the issue was asked for again, and polled', () => asked() >= told + 2, {
    describe: worker.stderr,
  });
  const { running, ended } = await worker.client.state();
  expect(running).toMatchObject([{ issue_identifier: 'ENG-1' }]);
  expect(ended).toEqual([]);
  lies = Number.POSITIVE_INFINITY;
  const run = await worker.until('the run is over', (state) => state.ended[0] ?? null);
  expect(run).toMatchObject({ outcome: 'canceled', summary: expect.stringContaining('no longer') });
  await worker.end('SIGTERM');
});
