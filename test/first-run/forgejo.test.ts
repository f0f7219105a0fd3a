import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git } from '../e2e/cli/git.ts';
import { claudeBinary } from '../real/claude/claude-fixture.ts';
import { codexBinary } from '../real/codex/codex-fixture.ts';
import { type ForgeApi, forgeApi } from '../real/forge/forge-api.ts';
import type { ForgeServer } from '../real/forge/forge-server.ts';
import { forge, missing, stopForge } from '../real/forge/real-forge.ts';
import { DOORS, type Door, installClaude, installCodex, type ScriptedModel } from './agents.ts';
import { filesWith, fillProject, type Newcomer, openNewcomer, VERIFIED, VERIFY } from './newcomer.ts';

/** Not the one that waits: the way to the forge leads through this very process. */
const gitMeanwhile = (cwd: string, ...args: string[]) => promisify(execFile)('git', args, { cwd });

afterAll(stopForge);

describe.skipIf(missing !== null)('a Forgejo', () => {
  let server: ForgeServer;
  let api: ForgeApi;

  beforeAll(async () => {
    server = await forge();
    api = forgeApi(server);
  });

  /** A repository of the newcomer's with a project in it; gives its address. */
  async function makeRepository(newcomer: Newcomer, name: string): Promise<string> {
    await api.expect('POST', '/user/repos', { name, auto_init: false, default_branch: 'main' });
    const seed = join(newcomer.folder, '..', 'seed');
    git(join(newcomer.folder, '..'), 'init', '--quiet', '--initial-branch=main', seed);
    fillProject(seed);
    const { host } = new URL(server.url);
    await gitMeanwhile(
      seed,
      'push',
      '--quiet',
      `http://${server.user}:${server.password}@${host}/boss/${name}.git`,
      'main',
    );
    return `${server.url}/boss/${name}.git`;
  }

  /** As a person does it on the forge's page, after `aiops init` has made the label. */
  async function addIssue(name: string): Promise<number> {
    const { json } = await api.call('GET', `/repos/boss/${name}/labels`);
    const labels = json as readonly { readonly id: number; readonly name: string }[];
    const todo = labels.find((label) => label.name === 'aiops/todo')?.id;
    const body = { title: 'Greet people', body: 'Write GREETING.', labels: [todo] };
    return Number((await api.expect('POST', `/repos/boss/${name}/issues`, body))['number']);
  }

  async function expectDelivered(newcomer: Newcomer, model: ScriptedModel, name: string): Promise<void> {
    const number = await addIssue(name);
    const run = await newcomer.workOnce();
    expect(run).toMatchObject({ issue_identifier: `#${number}`, outcome: 'delivered', pushed: true });
    const branch = await api.expect('GET', `/repos/boss/${name}/branches/ai%2F${number}`);
    expect(branch).toMatchObject({ commit: { message: expect.stringContaining('Greet people') } });
    const { json } = await api.call('GET', `/repos/boss/${name}/pulls?state=open`);
    expect(json).toEqual([
      expect.objectContaining({
        title: 'Greet people',
        html_url: run.pull_request_url,
        head: expect.objectContaining({ ref: `ai/${number}` }),
        base: expect.objectContaining({ ref: 'main' }),
      }),
    ]);
    const labels = (await api.call('GET', `/repos/boss/${name}/issues/${number}/labels`)).json;
    expect(labels).toEqual([expect.objectContaining({ name: 'aiops/human-review' })]);
    expect(model.answerTo('verify')).toContain(VERIFIED);
    expect(filesWith(newcomer.home, [server.token, server.password])).toEqual([]);
  }

  const work = (door: Door, verify: string) => ({ door, verify, pullRequest: true, review: 'Human Review' });

  describe.runIf(codexBinary !== null)('and the real Codex', () => {
    test.each(DOORS)('deliver the first issue by %s, from an empty folder', async (door) => {
      const newcomer = openNewcomer();
      const address = await makeRepository(newcomer, `codex-${door}`);
      newcomer.env['FORGEJO_TOKEN'] = server.token;
      const model = await installCodex(newcomer, work(door, VERIFY));
      expect(await newcomer.init('--repo', address, '--verify', VERIFY)).toContain('created aiops/todo');
      await expectDelivered(newcomer, model, `codex-${door}`);
    });
  });

  describe.runIf(claudeBinary !== null)('and the real Claude', () => {
    test.each(DOORS)('deliver the first issue by %s, from a fresh clone', async (door) => {
      const newcomer = openNewcomer();
      const address = await makeRepository(newcomer, `claude-${door}`);
      await gitMeanwhile(
        newcomer.folder,
        'clone',
        '--quiet',
        address.replace('//', `//${server.user}:${server.password}@`),
        '.',
      );
      newcomer.env['GITEA_TOKEN'] = server.token;
      const model = await installClaude(newcomer, work(door, 'npm test'));
      expect(await newcomer.init()).toContain('created aiops/todo');
      await expectDelivered(newcomer, model, `claude-${door}`);
    });
  });
});
