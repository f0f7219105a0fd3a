import { readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { startCli } from './cli.ts';
import { waitFor } from './wait.ts';
import { openFixture, startWorker } from './worker-fixture.ts';

it('applies a good edit to future work while a live run keeps its settings (R-6.2-b, R-6.2-e, R-14.4-a)', async () => {
  const fixture = await openFixture({ agent: { max_concurrent_agents: 1, max_turns: 4 } });
  await fixture.writeIssue('RE-1', { priority: 1, mock: { behaviour: 'hang' } });
  await fixture.writeIssue('RE-2', { priority: 2, mock: { behaviour: 'hang' } });
  const worker = await startWorker(fixture);
  await worker.untilRunning('RE-1');
  await fixture.writeWorkflow({ agent: { max_concurrent_agents: 2, max_turns: 3 } });
  const second = await worker.untilRunning('RE-2');
  const first = (await worker.client.state()).running.find((row) => row.issue_identifier === 'RE-1');
  expect([first?.max_turns, second.max_turns]).toEqual([4, 3]);
});

it('keeps the last good settings through a bad edit, shows it, and goes on dispatching (R-5.5-b, R-6.2-h)', async () => {
  const fixture = await openFixture();
  const worker = await startWorker(fixture);
  const good = await readFile(fixture.workflowPath, 'utf8');
  await writeFile(fixture.workflowPath, good.replace('kind: local', 'kind: [local'));
  const shown = await worker.until('the bad edit is shown', ({ config }) => config.reload_error ?? null);
  expect(shown).toContain(fixture.workflowPath);
  await fixture.writeIssue('RE-3');
  await worker.until('work goes on', ({ ended }) => ended.some((run) => run.outcome === 'delivered') || null);
  await writeFile(fixture.workflowPath, good);
  await worker.until(
    'the mended file is in force',
    ({ config }) => config.reload_error === undefined || null,
  );
  expect(worker.log().filter(({ msg }) => String(msg).startsWith('workflow reload failed'))).toHaveLength(1);
});

it('sees a save by rename, and outlives a file that is gone for a while (R-6.2-g, D13)', async () => {
  const fixture = await openFixture({ polling: { interval_ms: 30_000 } });
  const worker = await startWorker(fixture);
  const text = await readFile(fixture.workflowPath, 'utf8');
  const aside = join(dirname(fixture.workflowPath), '.WORKFLOW.md.swp');
  await writeFile(aside, text.replace('interval_ms: 30000', 'interval_ms: 31000'));
  await rename(aside, fixture.workflowPath);
  await worker.until(
    'the renamed file is in force',
    ({ poll_interval_ms }) => poll_interval_ms === 31_000 || null,
  );
  await unlink(fixture.workflowPath);
  await worker.until('the missing file is shown', ({ config }) => config.reload_error ?? null);
  await writeFile(fixture.workflowPath, text.replace('interval_ms: 30000', 'interval_ms: 32000'));
  await worker.until(
    'the new file is in force',
    ({ poll_interval_ms }) => poll_interval_ms === 32_000 || null,
  );
});

it('moves its listener when the port changes, and keeps trying one that is taken', async () => {
  const [first, taken] = [await freePort(), createServer()];
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const second = (taken.address() as { port: number }).port;
  const fixture = await openFixture({ server: { port: first } });
  const cli = startCli(['worker', fixture.workflowPath], { cwd: fixture.directory, env: fixture.env });
  const answers = (port: number): Promise<boolean> =>
    createClient({ baseUrl: `http://127.0.0.1:${port}`, fetch })
      .state()
      .then(
        () => true,
        () => false,
      );
  try {
    await waitFor('the first port answers', () => answers(first), { describe: cli.stderr });
    await fixture.writeWorkflow({ server: { port: second } });
    await waitFor('the old port is closed', async () => !(await answers(first)), { describe: cli.stderr });
    await new Promise((resolve) => taken.close(resolve));
    await waitFor('the new port answers once it is free', () => answers(second), { describe: cli.stderr });
  } finally {
    cli.kill('SIGTERM');
    await cli.exited;
    taken.close();
  }
});

it('goes on with fresh memory when the journal is deleted between two lives, and says so', async () => {
  const fixture = await openFixture({ agent: { max_turns: 1, max_continuation_turns: 2 } });
  await fixture.writeIssue('RE-4', { mock: { behaviour: 'never_finish', commits: true } });
  const worker = await startWorker(fixture);
  await worker.until('the budget holds it', ({ blocked }) => blocked[0] ?? null);
  await worker.end('SIGTERM');
  await rm(join(fixture.workspaces, '.aiops', 'journal.sqlite'));
  for (const suffix of ['-wal', '-shm']) {
    await rm(join(fixture.workspaces, '.aiops', `journal.sqlite${suffix}`), { force: true });
  }
  const again = await startWorker(fixture);
  const held = await again.until('its budget begins again', ({ blocked }) => blocked[0] ?? null);
  expect(held.method).toBe('continuation_budget');
  const warning = again.log().find(({ event }) => event === 'memory_lost');
  expect(warning).toMatchObject({
    level: 'warn',
    detail: expect.stringContaining('budgets and waits begin anew'),
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
