import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/resolve/secret.ts';
import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createGiteaTracker } from '../../../src/trackers/gitea/adapter.ts';
import { DEFAULT_STATE_LABELS } from '../../../src/trackers/gitea/states.ts';
import { openFixture, startWorker, type WorkerProcess } from '../../e2e/cli/worker-fixture.ts';
import { createRepository, type ForgeApi, forgeApi } from './forge-api.ts';
import type { ForgeServer } from './forge-server.ts';
import { forge, missing, stopForge } from './real-forge.ts';

afterAll(stopForge);
const ROOT = '/repos/boss/work';

interface PullRequest {
  readonly html_url: string;
  readonly head: { readonly ref: string };
}

function deliveredRow({ ended }: StateSnapshot, number: number): EndedRun | null {
  const isIt = (row: EndedRun): boolean =>
    row.issue_identifier === `#${number}` && row.outcome === 'delivered';
  return ended.find(isIt) ?? null;
}

describe.skipIf(missing !== null)('the worker on a real forge', () => {
  let server: ForgeServer;
  let api: ForgeApi;
  let labels: ReadonlyMap<string, number>;

  beforeAll(async () => {
    server = await forge();
    api = forgeApi(server);
    labels = await createRepository(
      api,
      'work',
      DEFAULT_STATE_LABELS.map(({ label }) => label),
    );
  });

  async function addIssue(title: string, body = ''): Promise<number> {
    const ids = [labels.get('aiops/todo')];
    return Number((await api.expect('POST', `${ROOT}/issues`, { title, body, labels: ids }))['number']);
  }

  /** What happened to the issue, in the forge's words. */
  async function timeline(number: number): Promise<readonly string[]> {
    const { json } = await api.call('GET', `${ROOT}/issues/${number}/timeline`);
    return (json as { type: string }[]).map(({ type }) => type);
  }

  async function labelsOf(number: number): Promise<readonly string[]> {
    const { json } = await api.call('GET', `${ROOT}/issues/${number}/labels`);
    return (json as { name: string }[]).map(({ name }) => name);
  }

  /** A worker on the repository, whose agents may push as the forge's user. */
  async function startOnForge(): Promise<WorkerProcess> {
    const fixture = await openFixture({
      polling: { interval_ms: 1_000 },
      tracker: { kind: 'gitea', endpoint: server.url, api_key: '$FORGE_KEY' },
      repo: { owner: 'boss', name: 'work', clone_url: `${server.url}/boss/work.git` },
    });
    Object.assign(fixture.env, { FORGE_KEY: server.token });
    const { host } = new URL(server.url);
    const home = fixture.env['HOME'] ?? '';
    await writeFile(join(home, '.gitconfig'), '[credential]\n\thelper = store\n');
    await writeFile(
      join(home, '.git-credentials'),
      `http://${server.user}:${encodeURIComponent(server.password)}@${host}\n`,
      { mode: 0o600 },
    );
    return startWorker(fixture);
  }

  it('turns an issue into a pushed branch, a pull request and a label for review', async () => {
    const number = await addIssue('Say hello', '```mock\npull_request: true\n```');
    const worker = await startOnForge();
    // Asked of the worker, not of the forge: its database does not like to be asked by many at once.
    const ended = await worker.until('the issue is handed over', (state) => deliveredRow(state, number), {
      withinMs: 60_000,
    });
    const branch = await api.expect('GET', `${ROOT}/branches/ai%2F${number}`);
    expect(branch).toMatchObject({
      commit: { message: expect.stringContaining('Say hello'), author: { name: 'Mock Agent' } },
    });
    const { json } = await api.call('GET', `${ROOT}/pulls?state=open`);
    const pulls = (json as PullRequest[]).filter(({ head }) => head.ref === `ai/${number}`);
    expect(pulls).toEqual([
      expect.objectContaining({
        state: 'open',
        mergeable: true,
        title: expect.stringContaining('Say hello'),
        body: `Closes #${number}`,
        head: expect.objectContaining({ ref: `ai/${number}`, sha: (branch['commit'] as { id: string }).id }),
        base: expect.objectContaining({ ref: 'main' }),
      }),
    ]);
    const url = pulls[0]?.html_url ?? '';
    expect(await timeline(number)).toContain('pull_ref');
    expect(await labelsOf(number)).toEqual(['aiops/human-review']);
    const comments = (await api.call('GET', `${ROOT}/issues/${number}/comments`)).json as { body: string }[];
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining(url)]);
    expect(ended).toMatchObject({
      outcome: 'delivered',
      branch: `ai/${number}`,
      new_commits: 1,
      pushed: true,
      pull_request_url: url,
    });
    expect(worker.stderr()).not.toContain(server.token);
    expect(JSON.stringify(await worker.client.state())).not.toContain(server.token);
  });

  it('keeps a blocked issue waiting until what it waits for is closed', async () => {
    const first = await addIssue('Come first', '```mock\nturns: 1\n```');
    const second = await addIssue('Say it again', `Depends on #${first}`);
    const worker = await startOnForge();
    await worker.until('the first issue is handed over', (state) => deliveredRow(state, first), {
      withinMs: 60_000,
    });
    await worker.until('the second issue waits', ({ waiting }) =>
      waiting.find(
        (row) => row.issue_identifier === `#${second}` && row.reason.includes(`blocked by #${first}`),
      ),
    );
    await api.expect('PATCH', `${ROOT}/issues/${first}`, { state: 'closed' });
    await worker.until('the second issue is handed over', (state) => deliveredRow(state, second), {
      withinMs: 60_000,
    });
    expect(await labelsOf(second)).toEqual(['aiops/human-review']);
  });

  it('lets an agent open, edit and link its pull request, and nothing of others', async () => {
    const number = await addIssue('Open a pull request');
    const file = { content: 'aGVsbG8=', message: 'x', new_branch: `ai/${number}`, branch: 'main' };
    await api.expect('POST', `${ROOT}/contents/file-${number}.txt`, file);
    const tracker = createGiteaTracker({
      endpoint: server.url,
      token: new Secret(server.token),
      repository: { owner: 'boss', name: 'work' },
      activeStates: ['Todo'],
      terminalStates: ['Done'],
      inactiveStates: ['Human Review'],
      logger: silentLogger,
      clock: systemClock,
      governor: createGovernor({ clock: systemClock }),
    });
    const { signal } = new AbortController();
    const found = (await tracker.fetchIssuesByIds([String(number)], signal)).get(String(number));
    if (found?.kind !== 'current') throw new Error(JSON.stringify(found));
    const use = (name: string, input: unknown): Promise<ToolResult> =>
      tracker.tools.execute({ name, arguments: input }, { issue: found.issue, signal });
    const opened = await use('gitea_api', {
      method: 'POST',
      path: `${ROOT}/pulls`,
      body: { title: 'Hello', head: `ai/${number}`, base: 'main', body: `Closes #${number}` },
    });
    if (!opened.success || opened.effect?.kind !== 'pull_request') throw new Error(JSON.stringify(opened));
    const { url } = opened.effect;
    const pull = Number(url.split('/').at(-1));
    expect(await use('pr_link', { url })).toMatchObject({
      success: true,
      effect: { kind: 'pull_request', url },
    });
    const edit = { method: 'PATCH', path: `${ROOT}/pulls/${pull}`, body: { title: 'Better' } };
    expect(await use('gitea_api', edit)).toMatchObject({ success: true, output: { status: 201 } });
    const merge = { method: 'POST', path: `${ROOT}/pulls/${pull}/merge`, body: { Do: 'merge' } };
    expect(await use('gitea_api', merge)).toMatchObject({ error: { code: 'not_allowed' } });
    expect(
      await use('gitea_issue_labels', { issue_number: number, labels: ['aiops/done'], close_issue: true }),
    ).toMatchObject({ success: true, effect: { kind: 'state_changed', from: 'Todo', to: 'Done' } });
    expect(await api.expect('GET', `${ROOT}/issues/${number}`)).toMatchObject({ state: 'closed' });
  });
});
