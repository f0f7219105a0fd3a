import { expect, it } from 'vitest';
import { createRunTools } from '../../../src/cli/compose/run-tools.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import type { PushRequest } from '../../../src/domain/push.ts';
import { createGovernors } from '../../../src/http/budget/governors.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import type { RunTools } from '../../../src/tools/run-tools.ts';
import { createTracker } from '../../../src/trackers/registry.ts';
import { makeIssue } from '../../fakes/scheduler-fixture.ts';
import { evaluateWorkflow } from '../../fakes/workflow-file.ts';

const DELIVERY = ['branch_push', 'pull_request_open', 'pull_request_update', 'pull_request_get'];
const ENVIRONMENT = { HOME: '/home/me', GITHUB_TOKEN: 'dummy-github-token', PUSH_KEY: 'dummy-push-token' };

async function toolsOf(frontMatter: string, pushed: PushRequest[] = []): Promise<RunTools> {
  const options = { file: '/flows/WORKFLOW.md', environment: ENVIRONMENT };
  const { config, problems } = evaluateWorkflow(`---\n${frontMatter}\n---\nDo it.`, options);
  expect(problems).toEqual([]);
  const tracker = await createTracker(config.tracker, { logger: silentLogger });
  return createRunTools(config, tracker, {
    push: async (_issue, request) => {
      pushed.push(request);
      return { ok: true, branch: 'ai/7', commit: 'c', changed: true, remoteLines: ['saw dummy-push-token'] };
    },
    governors: createGovernors({ clock: systemClock }),
    logger: silentLogger,
    redact: (text) => text.replaceAll('dummy-push-token', '***'),
  });
}

const LOCAL = 'tracker: {kind: local}';
const GITHUB = 'tracker: {kind: github}';

it.each([
  ['a forge', `${GITHUB}\nrepo: {clone_url: "https://github.com/octo/app"}`, DELIVERY],
  [
    'a forge beside local issues',
    `${LOCAL}\nrepo: {clone_url: "https://github.com/octo/app", token: $PUSH_KEY}`,
    DELIVERY,
  ],
  [
    'a forge that nobody can sign in to',
    `${LOCAL}\nrepo: {clone_url: "https://github.com/octo/app"}`,
    ['branch_push'],
  ],
  ['a folder', `${LOCAL}\nrepo: {clone_url: ./app}`, ['branch_push']],
  [
    'agents that push by themselves',
    `${GITHUB}\nrepo: {clone_url: "https://github.com/octo/app", push: agent}`,
    DELIVERY.slice(1),
  ],
  [
    'a forge that is not wanted',
    `${GITHUB}\nrepo: {clone_url: "https://github.com/octo/app"}\nforge: {kind: none}`,
    ['branch_push'],
  ],
  ['no repository', `${LOCAL}\nhooks: {after_create: "true"}`, []],
])("offers the tracker's tools and those that deliver, with %s", async (_what, frontMatter, delivery) => {
  const names = (await toolsOf(frontMatter)).specs.map(({ name }) => name);
  expect(names.filter((name) => DELIVERY.includes(name))).toEqual(delivery);
  expect(names).toEqual(expect.arrayContaining(['issue_get', 'issue_move', 'issue_comment']));
  expect(new Set(names).size).toBe(names.length);
});

it('keeps the variables of all credentials from agents, and credentials from answers', async () => {
  const pushed: PushRequest[] = [];
  const frontMatter = `${GITHUB}\nrepo: {clone_url: "https://github.com/octo/app", token: $PUSH_KEY}`;
  const tools = await toolsOf(frontMatter, pushed);
  expect(tools.secretEnvironmentNames).toEqual(expect.arrayContaining(['GITHUB_TOKEN', 'PUSH_KEY']));
  const context = { issue: makeIssue('7'), branch: 'ai/7', signal: new AbortController().signal };
  const answer = await tools.execute({ name: 'branch_push', arguments: {} }, context);
  expect(answer).toMatchObject({ success: true, output: { remote: [expect.stringMatching(/^saw /)] } });
  expect(JSON.stringify(answer)).not.toContain('dummy-push-token');
  expect(pushed).toEqual([{ commit: null, force: false }]);
});

it('describes its arguments without patterns that services of models refuse', async () => {
  const { specs } = await toolsOf(`${GITHUB}\nrepo: {clone_url: "https://github.com/octo/app"}`);
  const delivery = specs.filter(({ name }) => DELIVERY.includes(name));
  expect(delivery).toHaveLength(4);
  expect(JSON.stringify(delivery)).not.toContain('"pattern"');
  for (const { inputSchema } of delivery)
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
});
