import { expect, it } from 'vitest';
import type { TrackerConfig } from '../config/config.ts';
import { Secret } from '../config/resolve/secret.ts';
import { silentLogger } from '../observability/logger.ts';
import { createTracker } from './registry.ts';

function config(kind: string, provider: Record<string, unknown> = {}): TrackerConfig {
  return {
    kind,
    provider,
    apiKey: null,
    apiKeyVariable: null,
    endpoint: null,
    assignee: null,
    place: null,
    part: null,
    isFolder: kind === 'local',
    hasOneAssignee: false,
    forAgents: null,
    activeStates: ['Todo'],
    terminalStates: ['Done'],
    inactiveStates: [],
    requiredLabels: [],
    trust: null,
    paginationMaxPages: 0,
  };
}

it('builds the local tracker', async () => {
  const tracker = await createTracker(config('local', { path: '/issues', issue_prefix: 'T' }), {
    logger: silentLogger,
  });
  expect(tracker.kind).toBe('local');
  expect(tracker.tools.specs.map((spec) => spec.name)).toEqual(['issue_get', 'issue_move', 'issue_comment']);
  expect(tracker.tools.secretEnvironmentNames).toEqual([]);
});

it.each([
  ['jira', 'is not supported'],
  ['toString', 'is not supported'],
  ['', 'is not supported'],
])('refuses kind %j and names the supported ones', async (kind, text) => {
  await expect(createTracker(config(kind), { logger: silentLogger })).rejects.toMatchObject({
    code: 'unsupported_tracker_kind',
    message: expect.stringContaining(text),
    hint: expect.stringContaining('local'),
  });
});

it.each(['github', 'gitea'])('builds the %s tracker, and says what it lacks', async (kind) => {
  const settings = {
    ...config(kind, { repo: 'octo/app' }),
    apiKey: new Secret('dummy-token'),
    apiKeyVariable: 'MY_TOKEN',
    endpoint: 'http://127.0.0.1:1',
  };
  const tracker = await createTracker(settings, { logger: silentLogger });
  expect(tracker.kind).toBe(kind);
  expect(tracker.tools.specs.map((spec) => spec.name)).toContain(`${kind}_api`);
  expect(tracker.tools.secretEnvironmentNames).toContain('MY_TOKEN');
  const missing = createTracker({ ...settings, apiKey: null }, { logger: silentLogger });
  await expect(missing).rejects.toMatchObject({ code: 'missing_tracker_secret' });
  for (const provider of [{}, { repo: '../x' }, { repo: 'octo/app', allow_terminal: 'no' }]) {
    const broken = createTracker({ ...settings, provider }, { logger: silentLogger });
    await expect(broken).rejects.toMatchObject({ code: 'invalid_tracker_config' });
  }
});

it.each([
  [{}, 'tracker.path'],
  [{ path: 'issues' }, 'tracker.path'],
  [{ path: 7 }, 'tracker.path'],
  [{ path: '/issues', issue_prefix: '../x' }, 'tracker.issue_prefix'],
  [{ path: '/issues', issue_prefix: 7 }, 'tracker.issue_prefix'],
  [{ path: '/issues', allow_terminal: 'yes' }, 'allow_terminal'],
])('refuses the local settings %j', async (provider, text) => {
  await expect(createTracker(config('local', provider), { logger: silentLogger })).rejects.toMatchObject({
    code: 'invalid_tracker_config',
    message: expect.stringContaining(text),
  });
});

it('builds the Linear tracker with its tools and its budget, and keeps its key from agents', async () => {
  const warnings: unknown[] = [];
  const logger = {
    ...silentLogger,
    warn: (_message: string, fields?: unknown) => void warnings.push(fields),
  };
  const tracker = await createTracker(
    {
      ...config('linear'),
      apiKey: new Secret('dummy-key'),
      apiKeyVariable: 'MY_KEY',
      place: 'app',
      forAgents: { allowMutations: true, allowedMutations: ['issueUpdate', 'issueDelete'] },
    },
    { logger },
  );
  expect(tracker.kind).toBe('linear');
  expect(tracker.tools.specs.map((spec) => spec.name)).toEqual([
    'issue_get',
    'issue_move',
    'issue_comment',
    'pr_link',
    'linear_graphql',
    'linear_ai_workpad',
  ]);
  expect(tracker.tools.secretEnvironmentNames).toEqual(['LINEAR_API_KEY', 'MY_KEY']);
  expect(tracker.budget?.read()).toMatchObject({ requests: 0, remaining: null });
  expect(warnings).toEqual([expect.objectContaining({ mutations: ['issueDelete'] })]);
});

it.each([
  [{ apiKey: null, place: 'app' }, 'missing_tracker_secret', 'LINEAR_API_KEY'],
  [{ apiKey: null, apiKeyVariable: 'MY_KEY', place: 'app' }, 'missing_tracker_secret', 'MY_KEY'],
  [{ apiKey: new Secret(''), place: 'app' }, 'missing_tracker_secret', 'LINEAR_API_KEY'],
  [{ apiKey: new Secret('dummy\nkey'), place: 'app' }, 'missing_tracker_secret', 'Linear'],
  [{ apiKey: new Secret('dummy-key'), place: null }, 'invalid_tracker_config', 'tracker.project_slug'],
  [
    { apiKey: new Secret('dummy-key'), place: 'app', provider: { allow_terminal: 'no' } },
    'invalid_tracker_config',
    'allow_terminal',
  ],
])('refuses the Linear settings %j', async (settings, code, text) => {
  const made = createTracker({ ...config('linear'), ...settings }, { logger: silentLogger });
  await expect(made).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
});
