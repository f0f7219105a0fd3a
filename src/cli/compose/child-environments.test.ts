import { describe, expect, test } from 'vitest';
import { evaluateWorkflow, WORKFLOW_FORMAT } from '../../../test/fakes/workflow-file.ts';
import { secretKeys } from '../../config/schema/shape.ts';
import { silentLogger } from '../../observability/logger.ts';
import { ChildEnvironments, secretNames } from './child-environments.ts';

const VARIABLE = 'TEAM_SETTING';
const VALUE = 'https://hooks.example/dummy-not-a-secret-0001';

/** A workflow that writes this one key, with what else has to be there so that it may stand. */
function evaluate(key: string, value: string, environment: Record<string, string>, more = '') {
  const [top = '', ...rest] = key.split('.');
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
  const blocks: Record<string, object> = {
    tracker: { kind: key.endsWith('.token') ? 'github' : 'linear', project_slug: 'app' },
    repo: { clone_url: 'https://forge.invalid/a/app.git' },
    hooks: { after_create: `echo "$${VARIABLE}" "$COPY" "$ALLOWED"` },
  };
  blocks[top] = { ...blocks[top], ...nested };
  if (key.startsWith('tracker.provider')) blocks['tracker'] = { kind: 'github', ...nested };
  const front = Object.entries(blocks).map(([name, block]) => `${name}: ${JSON.stringify(block)}`);
  return evaluateWorkflow(`---\n${front.join('\n')}\n${more}\n---\nGo.\n`, {
    file: '/srv/team/WORKFLOW.md',
    environment: {
      HOME: '/home/me',
      LINEAR_API_KEY: 'lin_dummy_key',
      GITHUB_TOKEN: 'gh_dummy_key',
      ...environment,
    },
  });
}

const keys = secretKeys(WORKFLOW_FORMAT.schema);

test('the schema marks the credentials there are', () => {
  expect(keys).toEqual(
    expect.arrayContaining([
      'repo.token',
      'tracker.api_key',
      'tracker.provider.api_key',
      'tracker.provider.token',
      'server.webhooks.secret',
      'notifications.webhook_url',
      'notifications.slack_url',
    ]),
  );
});

// A key that is marked as a credential and not kept from children fails here, without a line for it.
describe.each(keys)('%s', (key) => {
  const environment = { [VARIABLE]: VALUE, COPY: `see ${VALUE}`, ALLOWED: 'yes' };

  test('given by a variable, it reaches no hook and no agent, under no name', async () => {
    const { config, problems } = evaluate(key, `$${VARIABLE}`, environment);
    expect(problems).toEqual([]);
    expect(secretNames(config)).toContain(VARIABLE);
    const children = new ChildEnvironments(environment, silentLogger);
    await children.learn(config);
    expect(children.forHook([], config.hooks, {})).toEqual({ ALLOWED: 'yes' });
    const asking = { ...config, agent: { ...config.agent, environment: [VARIABLE, 'COPY', 'ALLOWED'] } };
    expect(children.forLooking(asking)).toEqual({ ALLOWED: 'yes' });
  });

  test('written into the file, its value reaches no hook either', async () => {
    const { config } = evaluate(key, VALUE, environment);
    const children = new ChildEnvironments(environment, silentLogger);
    await children.learn(config);
    expect(children.forHook([], config.hooks, {})).toEqual({ ALLOWED: 'yes' });
  });

  test('it cannot be listed for an agent', () => {
    const { problems } = evaluate(
      key,
      `$${VARIABLE}`,
      environment,
      `codex: {env_passthrough: [${VARIABLE}]}`,
    );
    expect(problems).toMatchObject([
      {
        key: 'codex.env_passthrough[0]',
        message: `codex.env_passthrough[0]: ${VARIABLE} holds a credential of the worker`,
      },
    ]);
  });
});

test('a secret of an earlier configuration stays one', async () => {
  const environment = { [VARIABLE]: VALUE, ALLOWED: 'yes' };
  const children = new ChildEnvironments(environment, silentLogger);
  await children.learn(evaluate('notifications.slack_url', `$${VARIABLE}`, environment).config);
  const { config } = evaluate('notifications.on', 'delivered', environment);
  await children.learn(config);
  expect(children.forHook([], config.hooks, {})).toEqual({ ALLOWED: 'yes' });
});
