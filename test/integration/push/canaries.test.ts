import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordPathOf } from '../../../src/cli/record/worker-record.ts';
import { runCli } from '../../e2e/cli/cli.ts';
import { waitFor } from '../../e2e/cli/wait.ts';
import { startWorker, type WorkerProcess } from '../../e2e/cli/worker-fixture.ts';
import { fakeCodexCommand } from '../../fakes/codex/settings.ts';
import { API_TOKEN, CANARIES, HOOKS, type Kind, type Scene, setScene } from './canary-fixture.ts';
import { leaksOf, readAll, type Text } from './canary-scan.ts';

/** Everything the worker says to somebody who may ask. */
async function askAll(worker: WorkerProcess, { fixture }: Scene): Promise<readonly Text[]> {
  const headers = { authorization: `Bearer ${API_TOKEN}` };
  const [run] = (await worker.client.runs()).runs;
  const ways = [
    ...['state', 'worker', 'issues', 'runs', 'history', 'actions', '%231'].map((name) => `/api/v1/${name}`),
    ...['', '/events', '/diff'].map((end) => `/api/v1/runs/${run?.run_id}${end}`),
    ...['/metrics', '/readyz', '/'],
  ];
  const answers = await Promise.all(
    ways.map(async (way) => {
      const answer = await fetch(`${worker.url}${way}`, { headers });
      return { where: way, bytes: Buffer.from(await answer.arrayBuffer()) };
    }),
  );
  const commands = [['status'], ['runs', 'show', run?.run_id ?? ''], ['logs', '#1'], ['doctor', '--json']];
  const printed: Text[] = [];
  for (const args of commands) {
    const { stdout, stderr } = await runCli(args, { cwd: fixture.directory, env: fixture.env });
    printed.push({ where: `aiops ${args.join(' ')}`, bytes: Buffer.from(stdout + stderr) });
  }
  expect(printed[1]?.bytes.toString()).toContain('#1');
  return [...answers, ...printed];
}

/** Everything on disk, every child that was seen, and what else is given. */
function leaksIn({ fixture, alive }: Scene, others: readonly Text[]): readonly string[] {
  const texts = [...readAll(fixture.directory, fixture.env['TMPDIR'] ?? ''), ...alive, ...others];
  expect(texts.length).toBeGreaterThan(100);
  // What the remote says of itself is its own; the record is how commands of the same user reach the worker.
  const own = recordPathOf(fixture.workflowPath, fixture.env);
  expect(statSync(own).mode & 0o777).toBe(0o600);
  const ours = texts.filter(({ where }) => !where.startsWith(join(fixture.remote, 'hooks')));
  return Object.values(CANARIES).flatMap((secret) =>
    leaksOf(secret, ours).filter((leak) => leak !== `${API_TOKEN} in ${own}`),
  );
}

const AGENTS: readonly [string, Kind][] = [
  [
    'the mock agent, with the password in the clone address',
    { agent: {}, program: 'mock', password: 'CLONE_PASSWORD' },
  ],
  [
    'an app-server, with `repo.token`',
    {
      agent: {
        agent: { default: 'codex-app-server' },
        codex: { command: fakeCodexCommand('happy'), approval_policy: 'never' },
      },
      program: 'app-server.mjs',
      password: 'REPO_TOKEN',
    },
  ],
];

test.runIf(process.platform === 'linux').each(AGENTS)(
  'no credential reaches a file, a child, a transcript or an answer: %s',
  async (_, kind) => {
    const scene = await setScene(kind);
    const { fixture, forge, seen } = scene;
    const issue = forge.store.add({
      title: 'Say hello',
      labels: ['aiops/todo'],
      body: '```mock\npull_request: true\n```',
    });
    const worker = await startWorker(fixture, ['--log-level', 'debug', '--log-format', 'json']);
    const row = await worker.until('the run is over', ({ ended }) => ended[0] ?? null, { withinMs: 60_000 });
    expect(row, worker.stderr().slice(-3000)).toMatchObject({ outcome: 'delivered', pushed: true });
    await waitFor('both notices came', () => scene.notices.length >= 2 && names().includes('notice'));
    expect(new Set(scene.signedIn)).toEqual(new Set([`bot:${CANARIES[kind.password]}`]));
    for (const name of ['git-remote-http', kind.program])
      expect(scene.alive.filter(({ where }) => where.includes(name)).length, name).toBeGreaterThan(0);
    const answers = await askAll(worker, scene);
    expect(leaksIn(scene, answers)).toEqual([]);

    issue.labels = issue.labels.filter((name) => name !== 'aiops/human-review').concat('aiops/done');
    await worker.client.refresh();
    const trash = join(fixture.workspaces, '.aiops', 'trash');
    const isGone = (): boolean =>
      !readdirSync(fixture.workspaces).some((name) => /^\w/.test(name)) && readdirSync(trash).length === 0;
    await waitFor('the workspace is gone', isGone, { describe: worker.stderr });
    const saved = readAll(join(fixture.workspaces, '.aiops'), fixture.env['TMPDIR'] ?? '');
    expect(
      saved.some(({ where, bytes }) => where.endsWith('.bundle') && bytes.includes('not committed')),
    ).toBe(true);
    const log = { where: 'the log', bytes: Buffer.from(worker.stderr() + worker.stdout()) };
    expect(leaksIn(scene, [log])).toEqual([]);
    await worker.end('SIGTERM');
    expect(names()).toEqual(expect.arrayContaining(['git', ...HOOKS]));

    function names(): readonly string[] {
      return [...new Set(readdirSync(seen).map((name) => name.replace(/\.\d+$/, '')))];
    }
  },
  120_000,
);
