import { readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { openFixture, startWorker } from './worker-fixture.ts';

interface Found {
  readonly id: string;
  readonly status: string;
  readonly text: string;
}

async function findings(fixture: Fixture): Promise<{ code: number | null; by: Record<string, Found> }> {
  const { code, stdout, stderr } = await runCli(['doctor', '--json', fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  expect(stderr).toBe('');
  const { checks }: { checks: Found[] } = JSON.parse(stdout);
  return { code, by: Object.fromEntries(checks.map((check) => [check.id, check])) };
}

function everything(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { mtimeMs, size, mode } = statSync(join(folder, name));
      return `${name} ${mode} ${size} ${mtimeMs}`;
    });
}

/** The folder for temporary files is used and left empty, which shows in its time only. */
function withoutScratch(folder: string): readonly string[] {
  return everything(folder).filter((line) => !line.startsWith('tmp '));
}

test('doctor changes nothing before a worker, beside one and after one', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('TASK-1', { mock: { commit: true } });
  const untouched = withoutScratch(fixture.directory);
  const first = await findings(fixture);
  expect(first.code).toBe(0);
  expect(first.by['journal']?.text).toContain('none yet');
  expect(withoutScratch(fixture.directory)).toEqual(untouched);

  const worker = await startWorker(fixture);
  await worker.until('the run has ended', ({ ended }) => ended[0] ?? null);
  await fixture.writeWorkflow({ server: { port: Number(new URL(worker.url).port) } });
  const beside = await findings(fixture);
  expect(beside.code).toBe(0);
  expect(beside.by).toMatchObject({
    journal: { status: 'ok', text: expect.stringContaining('runs are in it') },
    port: {
      status: 'ok',
      text: expect.stringContaining(`running worker of this workflow (pid ${worker.pid})`),
    },
  });
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });

  const rested = withoutScratch(fixture.directory);
  const after = await findings(fixture);
  expect(after.by).toMatchObject({
    journal: { status: 'ok', text: expect.stringContaining('runs are in it') },
    port: { status: 'ok', text: expect.stringContaining('is free') },
  });
  expect(withoutScratch(fixture.directory)).toEqual(rested);
});

test('a worker of another workflow on the same issues is told of by doctor and by a dry run', async () => {
  const fixture = await openFixture();
  const worker = await startWorker(fixture);
  const other = join(fixture.directory, 'OTHER.md');
  const text = await readFile(fixture.workflowPath, 'utf8');
  await writeFile(other, text.replace('root: workspaces', 'root: elsewhere'));
  const second = { ...fixture, workflowPath: other };
  const said = expect.stringMatching(new RegExp(`same issues .*process ${worker.pid} .*WORKFLOW\\.md`));
  const found = await findings(second);
  expect(found.code).toBe(1);
  expect(found.by['scope-lease']).toMatchObject({ status: 'fail', text: said });
  const dry = await runCli(['worker', '--dry-run', other], { cwd: fixture.directory, env: fixture.env });
  expect(dry).toMatchObject({ stdout: '', stderr: said });
  expect(dry.code).not.toBe(0);
  expect((await findings(fixture)).by['scope-lease']).toMatchObject({
    status: 'ok',
    text: expect.stringContaining(`(pid ${worker.pid})`),
  });
  await worker.end('SIGTERM');
  expect((await findings(second)).by['scope-lease']).toMatchObject({ status: 'ok' });
});
