import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { FAKE_TOKEN, startFakeGitea } from '../../fakes/gitea/server.ts';
import { delivery, SECRET, sign } from '../../integration/server/webhook-fixture.ts';
import { runCli } from './cli.ts';
import { waitFor } from './wait.ts';
import { openFixture, startWorker } from './worker-fixture.ts';

const NEXT = 'dummy-next-webhook-secret';

it('picks up a new issue because of a webhook, long before the next poll is due', async () => {
  const fake = await startFakeGitea();
  onTestFinished(() => fake.finish());
  for (const name of ['todo', 'in-progress', 'human-review', 'done']) fake.store.label(`aiops/${name}`);
  const fixture = await openFixture();
  const sections = (secret: string) => ({
    tracker: { kind: 'gitea', endpoint: fake.origin, path: undefined },
    repo: { owner: 'octo', name: 'app' },
    polling: { interval_ms: 3_600_000 },
    server: { webhooks: { secret } },
    // The hook asks for the secret, and does not get it.
    hooks: { before_run: 'env > "$HOME/seen-by-hook"', env_passthrough: ['HOOK_SECRET'] },
  });
  await fixture.writeWorkflow(sections('$HOOK_SECRET'));
  const env = { ...fixture.env, GITEA_TOKEN: FAKE_TOKEN, HOOK_SECRET: SECRET, NEXT_SECRET: NEXT };
  const worker = await startWorker({ ...fixture, env });
  const post = async (body: string, headers: Record<string, string>): Promise<unknown> =>
    (await fetch(`${worker.url}/api/v1/webhooks/gitea`, { method: 'POST', body, headers })).json();
  const before = await worker.until('the first poll is over', (state) => state.last_poll && state);
  expect(before.webhooks).toEqual({ received_total: 0, last: null, last_wake_at: null });
  fake.store.add({ title: 'Say hello', labels: ['aiops/todo'] });

  const { body, headers } = delivery('gitea');
  expect(await post(body, { ...headers, 'x-gitea-signature': sign(body, 'dummy-other') })).toMatchObject({
    error: { code: 'webhook_signature' },
  });
  await worker.until(
    'the refusal is shown',
    (state) => state.webhooks?.last?.result === 'bad_signature' && state,
  );
  expect(await post(body, headers)).toEqual({ result: 'queued' });
  const row = await worker.until('the issue was worked on', ({ ended }) => ended[0] ?? null);
  expect(row.issue_identifier).toBe('#1');

  const { webhooks, next_poll_at: next } = await worker.until(
    'no poll is under way',
    (state) => state.next_poll_at !== null && state,
  );
  expect(webhooks).toMatchObject({ received_total: 2, last: { result: 'queued' } });
  expect(Date.parse(next ?? '') - Date.now()).toBeGreaterThan(3_000_000);
  const metrics = await (await fetch(`${worker.url}/metrics`)).text();
  expect(metrics).toContain('aiops_webhooks_total{result="queued"} 1\n');
  expect(metrics).toContain('aiops_webhooks_total{result="bad_signature"} 1\n');
  const status = await runCli(['status', '--url', worker.url], { cwd: fixture.directory, env });
  expect(status.stdout).toMatch(/last webhook .* queued/);
  const hookSaw = await readFile(`${fixture.env['HOME']}/seen-by-hook`, 'utf8');
  expect(hookSaw).toContain('AIOPS_ISSUE_ID=1');
  for (const text of [hookSaw, worker.stderr(), metrics, JSON.stringify(await worker.client.state())])
    expect(text).not.toContain(SECRET);

  await fixture.writeWorkflow(sections('$NEXT_SECRET'));
  await waitFor('the new secret is in force', () =>
    worker.log().some(({ msg }) => msg === 'workflow reloaded'),
  );
  const later = delivery('gitea');
  expect(await post(later.body, later.headers)).toMatchObject({ error: { code: 'webhook_signature' } });
  const signed = { ...later.headers, 'x-gitea-signature': sign(later.body, NEXT) };
  expect(await post(later.body, signed)).toEqual({ result: 'queued' });
  await worker.end('SIGTERM');
});
