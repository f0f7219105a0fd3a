import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from './cli.ts';
import { openFixture, parseLog, startWorker } from './worker-fixture.ts';

it.each([[['--port', '-1']], [['--port', '-1', '--once']], [['--dry-run']]])(
  'a worker (%j) whose runs cannot work does not start, and says all that is wrong with the fixes',
  async (args) => {
    const fixture = await openFixture({
      repo: { clone_url: './plain', default_branch: 'main' },
      agent: { default: 'claude' },
    });
    await mkdir(join(fixture.directory, 'plain'));
    const env = { ...fixture.env, PATH: '/usr/bin:/bin' };
    const { code, stderr } = await runCli(['worker', ...args, fixture.workflowPath], {
      cwd: fixture.directory,
      env,
    });
    expect(code).toBe(8);
    expect(stderr).toContain('plain is a folder, but no git repository');
    expect(stderr).toMatch(/Fix: Make it one with `git -C \S+plain init`/);
    expect(stderr).toContain('the program of claude.command was not found');
    expect(stderr).toContain('aiops doctor');
  },
);

it('a prompt that cannot be rendered stops the start, with its line', async () => {
  const fixture = await openFixture();
  await writeFile(
    fixture.workflowPath,
    '---\ntracker: {kind: local, path: issues}\n---\nWork on {{ issue.titel }}.\n',
  );
  const { code, stderr } = await runCli(['worker', '--once', fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  expect(code).toBe(8);
  expect(stderr).toContain('WORKFLOW.md:4');
  expect(stderr).toContain('issue.titel');
});

it('a tracker that does not answer keeps no worker from starting; it is a warning on the API, in status and in the log', async () => {
  const fixture = await openFixture();
  let status = 503;
  const server = createServer(
    (_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('[]'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await fixture.writeWorkflow({
    tracker: {
      kind: 'github',
      endpoint: `http://127.0.0.1:${port}`,
      api_key: '$GITHUB_TOKEN',
      provider: { repo: 'octo/app' },
    },
    agent: { default: 'mock' },
  });
  const env = { ...fixture.env, GITHUB_TOKEN: 'ghp_dummy_not_a_key' };
  const worker = await startWorker({ ...fixture, env });
  const warning = await worker.until(
    'the warning',
    ({ warnings }) => warnings.find(({ id }) => id === 'tracker') ?? null,
  );
  expect(warning.message).toContain('503');
  expect(worker.log().some((line) => line['warning'] === 'tracker')).toBe(true);
  const shown = await runCli(['status', '--url', worker.url], { cwd: fixture.directory, env });
  expect(shown.stdout).toContain('! GitHub');
  status = 200;
  await worker.until('it is over', ({ warnings }) => !warnings.some(({ id }) => id === 'tracker'), {
    withinMs: 60_000,
  });
  expect(parseLog(worker.stderr()).some(({ msg }) => msg === 'what was wrong is right again')).toBe(true);
});
