import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/resolve/secret.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import type { TrustRules } from '../../../src/domain/trust.ts';
import { createGiteaForge } from '../../../src/forges/gitea/adapter.ts';
import { pullRequestTools } from '../../../src/forges/tools/pull-request-tools.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createToolSet } from '../../../src/tools/tool-kit.ts';
import { makeIssue } from '../../fakes/scheduler-fixture.ts';
import { createRepository, type ForgeApi, forgeApi } from './forge-api.ts';
import type { ForgeServer } from './forge-server.ts';
import { forge, missing, stopForge } from './real-forge.ts';

afterAll(stopForge);
const ROOT = '/repos/boss/pulls';
const RITA = { username: 'rita', password: 'dummy-Passw0rd' };

describe.skipIf(missing !== null)('pull requests on a real forge', () => {
  let server: ForgeServer;
  let api: ForgeApi;

  beforeAll(async () => {
    server = await forge();
    api = forgeApi(server);
    await createRepository(api, 'pulls', []);
    await api.expect('POST', '/admin/users', {
      ...RITA,
      email: 'rita@example.test',
      must_change_password: false,
    });
    await api.expect('PUT', `${ROOT}/collaborators/rita`, { permission: 'write' });
  });

  /** The tools of a run on this branch. */
  function agentOn(branch: string, trust: TrustRules | null = null) {
    const adapter = createGiteaForge({
      endpoint: server.url,
      token: new Secret(server.token),
      repository: { owner: 'boss', name: 'pulls' },
      logger: silentLogger,
      clock: systemClock,
      governor: createGovernor({ clock: systemClock }),
    });
    const tools = createToolSet({
      tools: pullRequestTools({
        forge: adapter,
        defaultBranch: 'main',
        trust,
        repository: { owner: 'boss', name: 'pulls' },
        numberOf: ({ id }) => Number(id),
      }),
      secretEnvironmentNames: [],
      redact: adapter.redact,
    });
    const context = { issue: makeIssue('7'), branch, signal: new AbortController().signal };
    return (name: string, input: object = {}): Promise<ToolResult> =>
      tools.execute({ name: `pull_request_${name}`, arguments: input }, context);
  }

  /** What an agent would have pushed. */
  async function pushFile(branch: string, file: string): Promise<void> {
    await api.expect('POST', `${ROOT}/contents/${file}`, {
      content: 'aGVsbG8=',
      message: `Add ${file}`,
      new_branch: branch,
      branch: 'main',
    });
  }

  async function asRita(path: string, body: object): Promise<void> {
    const basic = Buffer.from(`${RITA.username}:${RITA.password}`).toString('base64');
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  it('refuses a branch that is not there or has nothing new, and a base that is not there', async () => {
    expect(await agentOn('ai/none')('open', { title: 'x' })).toMatchObject({
      error: { code: 'branch_not_pushed' },
    });
    await api.expect('POST', `${ROOT}/branches`, { new_branch_name: 'ai/same', old_branch_name: 'main' });
    expect(await agentOn('ai/same')('open', { title: 'x' })).toMatchObject({ error: { code: 'no_commits' } });
    await pushFile('ai/based', 'based.txt');
    expect(await agentOn('ai/based')('open', { title: 'x', base: 'nowhere' })).toMatchObject({
      error: { code: 'no_such_base' },
    });
    expect(await agentOn('ai/based')('get')).toMatchObject({ output: { pull_request: null } });
    expect((await api.call('GET', `${ROOT}/pulls?state=all`)).json).toEqual([]);
  });

  it('opens one, finds it again, changes it, closes and reopens it', async () => {
    await pushFile('ai/7', 'seven.txt');
    const use = agentOn('ai/7');
    const made = await use('open', {
      title: 'Say hello',
      body: 'Closes nothing',
      draft: true,
      reviewers: ['rita'],
    });
    expect(made).toMatchObject({
      success: true,
      output: {
        state: 'open',
        draft: true,
        title: 'Say hello',
        base: 'main',
        existing: false,
        reviewers: ['rita'],
      },
    });
    if (!made.success || made.effect?.kind !== 'pull_request') throw new Error(JSON.stringify(made));
    const number = Number(made.effect.url.split('/').at(-1));
    const raw = (): Promise<Record<string, unknown>> => api.expect('GET', `${ROOT}/pulls/${number}`);
    expect(await raw()).toMatchObject({
      title: 'WIP: Say hello',
      body: 'Closes nothing',
      head: { ref: 'ai/7' },
    });
    expect(await use('open', { title: 'Again' })).toMatchObject({ output: { number, existing: true } });
    expect(await use('update', { title: 'Say it better' })).toMatchObject({ output: { draft: true } });
    expect(await use('update', { draft: false, body: 'Text' })).toMatchObject({
      output: { title: 'Say it better', draft: false },
    });
    expect(await raw()).toMatchObject({ title: 'Say it better', body: 'Text', state: 'open' });
    expect(await use('update', { reviewers: ['nobody-here'] })).toMatchObject({
      error: { code: 'forge_refused', message: expect.stringContaining('nobody-here') },
    });
    expect(await use('update', { state: 'closed' })).toMatchObject({ output: { state: 'closed' } });
    expect(await raw()).toMatchObject({ state: 'closed' });
    expect(await use('update', { state: 'open' })).toMatchObject({ output: { number, state: 'open' } });
    expect((await api.call('GET', `${ROOT}/pulls?state=all`)).json).toHaveLength(1);
  });

  it('reads statuses, reviews, threads and comments, of people who are let in', async () => {
    await pushFile('ai/8', 'eight.txt');
    const use = agentOn('ai/8');
    const made = await use('open', { title: 'Eight' });
    if (!made.success || made.effect?.kind !== 'pull_request') throw new Error(JSON.stringify(made));
    const number = Number(made.effect.url.split('/').at(-1));
    const { head } = (await api.expect('GET', `${ROOT}/pulls/${number}`)) as {
      head: { sha: string };
    } & Record<string, unknown>;
    const status = (context: string, state: string, description: string) =>
      api.expect('POST', `${ROOT}/statuses/${head.sha}`, {
        context,
        state,
        description,
        target_url: 'https://ci.test/1',
      });
    await status('lint', 'success', 'fine');
    await status('test', 'failure', '3 tests failed');
    await asRita(`${ROOT}/pulls/${number}/reviews`, {
      event: 'REQUEST_CHANGES',
      body: 'Not yet.',
      comments: [{ path: 'eight.txt', body: 'Why eight?', new_position: 1 }],
    });
    await asRita(`${ROOT}/issues/${number}/comments`, { body: 'Nearly there.' });
    const seen = await use('get');
    expect(seen).toMatchObject({
      success: true,
      output: {
        pull_request: { number, state: 'open', head: { branch: 'ai/8', commit: head.sha } },
        checks: {
          total: 2,
          failed: 1,
          passed: 1,
          items: [
            { name: 'test', outcome: 'failed', summary: '3 tests failed' },
            { name: 'lint', outcome: 'passed' },
          ],
        },
        reviews: { items: [{ author: 'rita', state: 'changes_requested', body: 'Not yet.' }] },
        unresolved_threads: {
          total: 1,
          items: [{ path: 'eight.txt', line: 1, comments: [{ author: 'rita', body: 'Why eight?' }] }],
        },
        comments: { items: [{ author: 'rita', body: 'Nearly there.' }] },
      },
    });
    const gated = await agentOn('ai/8', { authors: ['boss'], associations: [], labels: [] })('get');
    expect(gated).toMatchObject({
      output: {
        pull_request: { title: 'Eight' },
        reviews: { items: [], withheld: 1 },
        comments: { withheld: 1 },
      },
    });
    expect(JSON.stringify(gated)).not.toMatch(/Not yet|Why eight|Nearly/);
    expect(JSON.stringify([made, seen, gated])).not.toContain(server.token);
  });

  it('leaves a merged one alone and opens the next', async () => {
    await pushFile('ai/9', 'nine.txt');
    const use = agentOn('ai/9');
    const made = await use('open', { title: 'Nine' });
    if (!made.success || made.effect?.kind !== 'pull_request') throw new Error(JSON.stringify(made));
    const number = Number(made.effect.url.split('/').at(-1));
    await api.expect('POST', `${ROOT}/pulls/${number}/merge`, { Do: 'merge' });
    expect(await use('get')).toMatchObject({ output: { pull_request: { number, state: 'merged' } } });
    expect(await use('update', { title: 'x' })).toMatchObject({ error: { code: 'pull_request_merged' } });
    expect(await use('open', { title: 'Nine again' })).toMatchObject({ error: { code: 'no_commits' } });
  });
});
