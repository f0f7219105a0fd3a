import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readWorkflowStates } from '../../../src/trackers/linear/project-states.ts';
import { createGit } from '../../../src/workspaces/git/git.ts';
import { tryPush } from '../../../src/workspaces/push/try-push.ts';
import { FAKE_KEY, FakeLinear } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';
import { evaluateWorkflow } from '../../fakes/workflow-file.ts';

const never = new AbortController().signal;

test('a dry run of a push asks the remote and sends nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aiops-try-push-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const remote = join(folder, 'app.git');
  execFileSync('git', ['init', '-q', '--bare', remote]);
  const git = createGit({ PATH: process.env['PATH'], HOME: folder });
  const objects = () => readdirSync(join(remote, 'objects'), { recursive: true }).length;
  const before = objects();
  await tryPush(git, remote, 'aiops/try', never);
  expect(execFileSync('git', ['-C', remote, 'for-each-ref']).toString()).toBe('');
  expect(objects()).toBe(before);
  await expect(tryPush(git, join(folder, 'nowhere.git'), 'aiops/try', never)).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringContaining('dry run of a push'),
  });
});

test('Linear is asked for the states of the teams of the project', async () => {
  const fake = await FakeLinear.start();
  onTestFinished(() => fake.finish());
  const trackerOf = (more: string) =>
    evaluateWorkflow(
      `---\ntracker: {kind: linear, endpoint: "${fake.url}", api_key: $KEY, project_slug: ${PROJECT_SLUG}${more}}\n---\nGo.\n`,
      { file: '/srv/WORKFLOW.md', environment: { KEY: FAKE_KEY } },
    ).config.tracker;
  const names = fake.store.states.map(({ name }) => name);
  expect(await readWorkflowStates(trackerOf(''), never)).toEqual([...new Set(names)]);
  await expect(readWorkflowStates(trackerOf(', team_key: NOPE'), never)).rejects.toMatchObject({
    code: 'invalid_tracker_config',
    hint: expect.stringContaining('tracker.team_key'),
  });
  fake.store.projectHidden = true;
  await expect(readWorkflowStates(trackerOf(''), never)).rejects.toMatchObject({
    hint: expect.stringContaining('tracker.project_slug'),
  });
});
