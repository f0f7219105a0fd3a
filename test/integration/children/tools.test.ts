import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createCodexRunner } from '../../../src/runners/codex/runner.ts';
import { createTracker } from '../../../src/trackers/registry.ts';
import { createFixture, ISSUE } from '../../contracts/runner-fixture.ts';
import { fakeCodexCommand, fakeCodexSettings } from '../../fakes/codex/settings.ts';
import { FAKE_KEY, FakeLinear } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';
import { evaluateWorkflow } from '../../fakes/workflow-file.ts';

const never = new AbortController().signal;

function configOf(tracker: string, key = FAKE_KEY): Config {
  const text = `---\ntracker: {${tracker}}\nrepo: {owner: octo, name: app, clone_url: "https://forge.invalid/octo/app.git"}\n---\nGo.`;
  const environment = { LINEAR_API_KEY: key, GITHUB_TOKEN: 'dummy_hub', GITEA_TOKEN: 'dummy_tea' };
  const { config, problems } = evaluateWorkflow(text, { file: '/flows/WORKFLOW.md', environment });
  expect(problems).toEqual([]);
  return config;
}

test.each([
  ['local', 'kind: local', /^(?:issue|pr)_/],
  ['linear', 'kind: linear, project_slug: app', /^(?:issue|pr|linear)_/],
  ['github', 'kind: github', /^(?:issue|pr|github)_/],
  ['gitea', 'kind: gitea, endpoint: "https://forge.invalid"', /^(?:issue|pr|gitea)_/],
])('R-17.5-p Codex is offered exactly the tools of a %s tracker', async (_kind, tracker, own) => {
  const fixture = createFixture();
  onTestFinished(() => fixture.dispose());
  const { tools } = await createTracker(configOf(tracker).tracker, { logger: silentLogger });
  const received = join(fixture.root, 'received');
  const command = fakeCodexCommand('happy', '--record', received);
  const runner = createCodexRunner({ codex: fakeCodexSettings('happy', { command }) });
  const session = await runner.start(fixture.input({ tools: tools.specs }), never);
  onTestFinished(() => session.stop());
  const lines = readFileSync(received, 'utf8').trim().split('\n');
  const start = lines.map((line) => JSON.parse(line)).find(({ method }) => method === 'thread/start');
  const offered: string[] = start.params.dynamicTools.map(({ name }: { name: string }) => name);
  expect(offered).toEqual(tools.specs.map(({ name }) => name));
  expect(offered).toContain('issue_move');
  expect(offered.filter((name) => !own.test(name))).toEqual([]);
});

test('R-17.5-t bad arguments, a wrong key and no connection are failures with a code that the agent can read', async () => {
  const fake = await FakeLinear.start();
  const { url } = fake;
  const call = async (key: string, args: unknown): Promise<unknown> => {
    const tracker = `kind: linear, endpoint: "${url}", project_slug: ${PROJECT_SLUG}`;
    const { tools } = await createTracker(configOf(tracker, key).tracker, { logger: silentLogger });
    return tools.execute(
      { name: 'issue_move', arguments: args },
      { issue: ISSUE, signal: AbortSignal.timeout(20_000) },
    );
  };
  const failure = (code: RegExp) => ({
    success: false,
    error: { code: expect.stringMatching(code), message: expect.stringMatching(/./) },
  });
  for (const args of [{}, { state: 7 }, null, 'Done', ['Done']]) {
    expect(await call(FAKE_KEY, args)).toMatchObject(failure(/^invalid_arguments$/));
  }
  expect(fake.requests).toEqual([]);
  expect(await call('lin_api_dummy_wrong_key', { state: 'Done' })).toMatchObject(failure(/^tracker_/));
  await fake.stop();
  expect(await call(FAKE_KEY, { state: 'Done' })).toMatchObject(failure(/^tracker_request$/));
});
