import { execFile } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RunFixture } from '../../fakes/run-fixture.ts';
import { createFixture, never } from '../workspaces/fixture.ts';

test('a hand-over after a push that the remote refused gets one more turn, with the words of the remote', async () => {
  const fixture = createFixture();
  onTestFinished(() => fixture.dispose());
  const hook = join(fixture.remote, 'hooks', 'pre-receive');
  writeFileSync(
    hook,
    '#!/bin/sh\necho "Every commit needs a sign-off:" >&2\necho "  git commit -s" >&2\nexit 1\n',
  );
  chmodSync(hook, 0o755);
  const workspaces = fixture.workspaces();
  const run = new RunFixture();
  const git = (...args: string[]): Promise<boolean> =>
    new Promise((resolve) => {
      const options = { cwd: run.startedIn ?? '', env: fixture.environment };
      execFile('git', args, options, (error) => resolve(error === null));
    });
  run.ports = { workspaces: () => workspaces };
  run.spec = { settings: { ...run.settings, repo: fixture.repo } };
  run.push = (request) => workspaces.push('A', request, never);
  run.decisions = [
    { kind: 'inspect', state: 'Human Review' },
    { kind: 'push_first', state: 'Human Review' },
    { kind: 'inspect', state: 'Human Review' },
    { kind: 'finish', why: 'left_active' },
  ];
  const pushed: boolean[] = [];
  run.turns = [
    async () => {
      await git('commit', '--quiet', '--allow-empty', '-m', 'Work');
      pushed.push(await git('push'));
      return { kind: 'completed' };
    },
    async () => {
      rmSync(hook);
      pushed.push(await git('push'));
      return { kind: 'completed' };
    },
  ];
  const result = await run.run();
  expect(result).toMatchObject({ end: { kind: 'completed' }, turns: 2, evidence: { pushed: true } });
  expect(pushed).toEqual([false, true]);
  expect(run.prompts[1]).toMatch(
    /- Your last push was refused: The remote refused \S+: \[remote rejected\] \(pre-receive hook declined\) The remote said:\n {4}remote: Every commit needs a sign-off:\n {4}remote: {3}git commit -s\n/,
  );
});
