import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from './cli.ts';
import { git } from './git.ts';
import type { Stage } from './stage.ts';
import { waitFor } from './wait.ts';
import { openStage, startWorker } from './worker-harness.ts';

/** The same project on another machine: state, workspaces and a copy of the issues of its own; the remote is shared. */
async function onAnotherMachine(stage: Stage): Promise<Stage> {
  const directory = join(stage.directory, 'elsewhere');
  await mkdir(join(directory, 'issues'), { recursive: true });
  const workflowPath = join(directory, 'WORKFLOW.md');
  await writeFile(workflowPath, await readFile(stage.workflowPath, 'utf8'));
  await writeFile(join(directory, 'issues', 'TASK-1.md'), await readFile(stage.issuePath('TASK-1'), 'utf8'));
  return {
    ...stage,
    directory,
    workflowPath,
    env: { ...stage.env, XDG_STATE_HOME: join(directory, 'state') },
  };
}

it('a worker whose issue another machine works on says so, on its state, in status and doctor, and goes on', async () => {
  const stage = await openStage();
  await stage.writeIssue('TASK-1');
  const there = await onAnotherMachine(stage);
  const go = join(stage.directory, 'go');
  // Its run has begun, and comes to its agent when the other one has pushed.
  await stage.writeWorkflow({ hooks: { before_run: `until [ -e ${go} ]; do sleep 0.05; done` } });
  const first = await startWorker(stage);
  await waitFor('the run has begun', () => first.client.state().then(({ running }) => running[0] ?? null));
  await waitFor('the workspace is made', () =>
    readFile(join(stage.workspace('TASK-1'), 'README.md')).catch(() => null),
  );
  await stage.writeWorkflow();
  const second = await startWorker(there);
  await second.until('the other run is over', ({ ended }) => ended.find(({ pushed }) => pushed) ?? null);
  const theirs = git(stage.remote, 'rev-parse', 'ai/TASK-1').trim();
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
  const status = await runCli(['status'], { cwd: stage.directory, env: stage.env });
  expect(status.stdout).toContain(`got commit ${theirs.slice(0, 12)}`);
  const doctor = await runCli(['doctor', '--json', stage.workflowPath], {
    cwd: stage.directory,
    env: stage.env,
  });
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining({ id: 'foreign-pushes', status: 'warn' })]),
  });
  expect((await second.client.state()).warnings).toEqual([]);
  expect(git(stage.remote, 'merge-base', '--is-ancestor', theirs, 'ai/TASK-1')).toBe('');
}, 150_000);
