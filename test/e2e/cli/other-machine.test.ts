import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { git } from './git.ts';
import { waitFor } from './wait.ts';
import { openFixture, startWorker } from './worker-fixture.ts';

/** The same project on another machine: state, workspaces and a copy of the issues of its own; the remote is shared. */
async function onAnotherMachine(fixture: Fixture): Promise<Fixture> {
  const directory = join(fixture.directory, 'elsewhere');
  await mkdir(join(directory, 'issues'), { recursive: true });
  const workflowPath = join(directory, 'WORKFLOW.md');
  await writeFile(workflowPath, await readFile(fixture.workflowPath, 'utf8'));
  await writeFile(
    join(directory, 'issues', 'TASK-1.md'),
    await readFile(fixture.issuePath('TASK-1'), 'utf8'),
  );
  return {
    ...fixture,
    directory,
    workflowPath,
    env: { ...fixture.env, XDG_STATE_HOME: join(directory, 'state') },
  };
}

it('a worker whose issue another machine works on says so, on its state, in status and doctor, and goes on', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('TASK-1');
  const there = await onAnotherMachine(fixture);
  const go = join(fixture.directory, 'go');
  // Its run has begun, and comes to its agent when the other one has pushed.
  await fixture.writeWorkflow({ hooks: { before_run: `until [ -e ${go} ]; do sleep 0.05; done` } });
  const first = await startWorker(fixture);
  await waitFor('the run has begun', () => first.client.state().then(({ running }) => running[0] ?? null));
  await waitFor('the workspace is made', () =>
    readFile(join(fixture.workspace('TASK-1'), 'README.md')).catch(() => null),
  );
  await fixture.writeWorkflow();
  const second = await startWorker(there);
  await second.until('the other run is over', ({ ended }) => ended.find(({ pushed }) => pushed) ?? null);
  const theirs = git(fixture.remote, 'rev-parse', 'ai/TASK-1').trim();
  await writeFile(go, '');

  const warning = await first.until(
    'the worker warns',
    ({ warnings }) => warnings.find(({ id }) => id === 'foreign-pushes') ?? null,
    { withinMs: 90_000 },
  );
  expect(warning).toMatchObject({
    message: expect.stringMatching(
      new RegExp(
        `^ai/TASK-1 got commit ${theirs.slice(0, 12)} by .+<.+> after the last run of TASK-1 had begun`,
      ),
    ),
    fix: expect.stringContaining('tracker.required_labels'),
  });
  const status = await runCli(['status'], { cwd: fixture.directory, env: fixture.env });
  expect(status.stdout).toContain(`got commit ${theirs.slice(0, 12)}`);
  const doctor = await runCli(['doctor', '--json', fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining({ id: 'foreign-pushes', status: 'warn' })]),
  });
  expect((await second.client.state()).warnings).toEqual([]);
  expect(git(fixture.remote, 'merge-base', '--is-ancestor', theirs, 'ai/TASK-1')).toBe('');
}, 150_000);
