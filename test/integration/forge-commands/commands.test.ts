import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { FakeForge } from '../../fakes/forge/server.ts';
import { FAKE_TOKEN as GITEA_TOKEN, startFakeGitea } from '../../fakes/gitea/server.ts';
import { FAKE_TOKEN as GITHUB_TOKEN, startFakeGithub } from '../../fakes/github/server.ts';
import { type CliResult, runInProcess } from '../../fakes/in-process-cli.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function aiops(fake: FakeForge, kind: string, ...args: string[]): Promise<CliResult> {
  const cwd = await mkdtemp(join(tmpdir(), 'forge-commands-'));
  cleanups.push(() => rm(cwd, { recursive: true }));
  const states =
    'active_states: [Todo, In Progress], inactive_states: [Human Review], terminal_states: [Closed, Done]';
  await writeFile(
    join(cwd, 'WORKFLOW.md'),
    `---\ntracker: {kind: ${kind}, endpoint: "${fake.origin}", api_key: $KEY, ${states}}\n` +
      'repo: {owner: octo, name: app, clone_url: /nowhere}\nagent: {max_concurrent_agents: 1}\n---\nDo it.\n',
  );
  const environment = { KEY: kind === 'github' ? GITHUB_TOKEN : GITEA_TOKEN, HOME: cwd };
  return runInProcess(args, { environment, cwd });
}

async function start(kind: string): Promise<FakeForge> {
  const fake = kind === 'github' ? await startFakeGithub() : await startFakeGitea();
  cleanups.push(() => fake.finish());
  return fake;
}

it.each([
  ['github', 'Todo', ['Todo', 'In Progress', 'Human Review', 'Done']],
  ['gitea', 'aiops/todo', ['aiops/todo', 'aiops/in-progress', 'aiops/human-review', 'aiops/done']],
])('labels sync creates what %s lacks, and nothing twice', async (kind, existing, all) => {
  const fake = await start(kind);
  fake.store.label(existing);
  const dry = await aiops(fake, kind, 'labels', 'sync', '--dry-run');
  expect(dry.out.split('\n').filter((line) => line.startsWith('would create'))).toHaveLength(3);
  expect(fake.store.labels).toHaveLength(1);
  const planned = JSON.parse((await aiops(fake, kind, 'labels', 'sync', '--dry-run', '--json')).out);
  expect(planned).toMatchObject({ wanted: 4, created: false, labels: [{}, {}, {}] });
  expect(await aiops(fake, kind, 'labels', 'sync')).toMatchObject({ code: 0, err: '' });
  expect(fake.store.labels.map(({ name }) => name).sort()).toEqual([...all].sort());
  const again = await aiops(fake, kind, 'labels', 'sync');
  expect(again.out).toBe('All 4 state labels are there.\n');
});

it('issues --explain says of each issue why it would or would not run', async () => {
  const fake = await start('github');
  fake.store.add({ title: 'First', labels: ['Todo'] });
  fake.store.add({ title: 'Second', labels: ['Todo', 'P1'] });
  fake.store.add({ title: 'Third', labels: ['Todo'], blockedBy: [1] });
  const { code, out } = await aiops(fake, 'github', 'issues', '--explain');
  expect(code).toBe(0);
  const rows = out
    .trim()
    .split('\n')
    .map((line) => line.split(/\s{2,}/));
  expect(rows).toEqual([
    ['ID', 'STATE', 'PRIO', 'FATE', 'TITLE'],
    ['#2', 'Todo', '1', 'would run', 'Second'],
    ['#1', 'Todo', '-', 'would wait for a slot (1 of 1 in use)', 'First'],
    ['#3', 'Todo', '-', 'would not run: blocked by #1 (Todo)', 'Third'],
    [''],
    ['3 issues seen: 2 ready (waiting for a slot (1 of 1 in use)); 1 waits for #1 (Todo)'],
  ]);
  const json = JSON.parse((await aiops(fake, 'github', 'issues', '--json')).out) as unknown[];
  expect(json).toHaveLength(3);
  expect(json[0]).toMatchObject({ identifier: '#2', would_run: true, reason: null });
});

it('fails with one line when the tracker cannot be read', async () => {
  const fake = await start('github');
  fake.failNext(/.*/, { kind: 'answer', status: 401, body: '{"message":"Bad credentials"}' }, 9);
  const { code, out, err } = await aiops(fake, 'github', 'issues');
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(err).toContain('status 401');
});
