import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateWorkflow } from '../../../../test/fakes/workflow-file.ts';
import { planTracker } from '../../../../test/integration/init/plan-fixture.ts';
import type { Config } from '../../../config/config.ts';
import { checkTemplate } from '../../../prompt/check-template.ts';
import type { Plan, TrackerPlan } from '../decide/plan.ts';
import { renderWorkflow } from './render.ts';

const TOKENS = { GITHUB_TOKEN: 'dummy-github', GITEA_TOKEN: 'dummy-gitea', LINEAR_API_KEY: 'dummy-linear' };

const LOCAL = await planTracker('local');
const TRACKERS: readonly TrackerPlan[] = [
  await planTracker('github', { project: 'octo/app' }),
  await planTracker('github', { project: 'o/a', endpoint: 'https://ghe.example/api/v3' }),
  await planTracker('gitea', { project: 'team/123', endpoint: 'https://git.example.org' }),
  await planTracker('linear', { project: 'site-0123abcd' }),
  LOCAL,
];
const AGENTS: readonly string[] = ['codex', 'claude', 'gemini', 'opencode', 'mock'];

function plan(part: Partial<Plan>): Plan {
  return {
    tracker: LOCAL,
    cloneUrl: 'https://git.example.org/team/app.git',
    defaultBranch: 'main',
    codeForge: null,
    repoTokenVariable: null,
    agent: 'codex',
    passedVariables: [],
    verify: ['npm test'],
    setUp: 'npm ci',
    schema: './schema.json',
    ...part,
  };
}

function load(part: Partial<Plan>): Config {
  const text = renderWorkflow(plan(part));
  const { config, problems, warnings } = evaluateWorkflow(text, {
    file: '/w/WORKFLOW.md',
    environment: TOKENS,
  });
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  return config;
}

describe.each(TRACKERS)('a workflow for $kind', (tracker) => {
  test.each(AGENTS)('with %s loads without a complaint, and so does its prompt', async (agent) => {
    const config = load({ tracker, agent });
    expect(config.tracker.kind).toBe(tracker.kind);
    expect(config.verify.commands).toEqual(['npm test']);
    expect(config.repo).toMatchObject({ cloneUrl: 'https://git.example.org/team/app.git' });
    const { promptTemplate: template, promptLine: firstLine } = config;
    expect(await checkTemplate({ template, firstLine, trackerKind: tracker.kind })).toEqual([]);
    expect(template).toContain('git push');
    expect(template.includes('pull_request_open')).toBe(
      tracker.kind === 'github' || tracker.kind === 'gitea',
    );
    expect(template).toContain('issue_move');
  });

  test('names the variable of its token, and never the token', () => {
    const text = renderWorkflow(plan({ tracker }));
    for (const secret of Object.values(TOKENS)) expect(text).not.toContain(secret);
    if (tracker.kind !== 'local') expect(text).toContain(`api_key: $${tracker.tokenVariable}`);
  });
});

test('whatever a command, branch or address looks like, it comes out of the file as it went in', () => {
  const command = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => text.trim());
  const line = command.filter((text) => text !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text));
  const word = fc.stringMatching(/^[a-z][a-z0-9_/.-]{0,20}[a-z0-9]$/);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), word, line, (verify, branch, setUp) => {
      fc.pre(!/\.\.|\.lock|\/\.|\.\/|\/\//.test(branch));
      const config = load({ verify, setUp, defaultBranch: branch });
      expect(config.verify.commands).toEqual(verify);
      expect(config.hooks.afterCreate).toEqual([setUp]);
      expect(config.repo?.defaultBranch).toBe(branch);
    }),
    { numRuns: 300 },
  );
});

test.each([
  '123',
  'true',
  'null',
  '~',
  '- x',
  'a: b',
  'a #b',
  '1e3',
  '0x10',
  '*',
  '&a',
  '!x',
  '{a}',
  '[a]',
  "it's",
  '%a',
  '@a',
  '`a`',
  'no',
  'a:',
])('the command %s stays a text', (command) =>
  expect(load({ verify: [command] }).verify.commands).toEqual([command]),
);

test('without verify commands nothing is prepared for them, and the file says how to add one', () => {
  const text = renderWorkflow(plan({ verify: [], setUp: null }));
  expect(text).toContain('# verify:');
  expect(load({ verify: [], setUp: null }).hooks.afterCreate).toEqual([]);
});

test.each(['github', 'gitea'] as const)(
  'a folder with the code of a repository on %s has its pull requests there',
  async (kind) => {
    const tracker = await planTracker(kind, { project: 'octo/app', endpoint: 'https://git.example.org' });
    const { forge } = load({ tracker, cloneUrl: '../app.git' });
    expect(forge).toMatchObject({ kind, endpoint: 'https://git.example.org', repository: { owner: 'octo' } });
    expect(forge.token).not.toBeNull();
  },
);

test('code on a forge whose issues are elsewhere has a token of its own', () => {
  const codeForge = { kind: 'github', endpoint: null, owner: 'octo', name: 'app' } as const;
  const cloneUrl = 'https://github.com/octo/app.git';
  const config = load({ codeForge, repoTokenVariable: 'GITHUB_TOKEN', cloneUrl });
  expect(config.repo?.token?.reveal()).toBe(TOKENS.GITHUB_TOKEN);
  expect(config.forge).toMatchObject({ kind: 'github', repository: { owner: 'octo', name: 'app' } });
  expect(config.promptTemplate).toContain('pull_request_open');
});

test('the agent gets its own variables, in the block of its runner', () => {
  expect(
    load({ agent: 'claude', passedVariables: ['ANTHROPIC_API_KEY'] }).agents['claude']?.['envPassthrough'],
  ).toEqual(['ANTHROPIC_API_KEY']);
  expect(
    load({ agent: 'codex', passedVariables: ['HTTPS_PROXY'] }).agents['codex']?.['envPassthrough'],
  ).toEqual(['HTTPS_PROXY']);
  expect(load({ agent: 'gemini', passedVariables: ['GEMINI_API_KEY'] }).agents['acp']).toMatchObject({
    command: 'gemini --acp',
    envPassthrough: ['GEMINI_API_KEY'],
  });
});
