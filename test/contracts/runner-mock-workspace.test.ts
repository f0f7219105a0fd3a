import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ISSUE, writeHook } from './runner-fixture.ts';
import { useMockRuns } from './runner-mock-runs.ts';

describe('mock agent in its workspace', () => {
  const { fixture, open, runOnce, subjects, remoteHead } = useMockRuns();

  test('a plain directory is worked in without git, even inside somebody’s repository', async () => {
    const plain = join(fixture().workspace, 'plain');
    mkdirSync(plain);
    expect(await runOnce('behaviour: turns\nturns: 1', { workspacePath: plain })).toEqual({
      kind: 'completed',
    });
    expect(readFileSync(join(plain, 'notes', 'ENG-7.md'), 'utf8')).toContain('- [x] step 1');
    expect(existsSync(join(plain, '.aiops', 'mock.json'))).toBe(true);
    expect(subjects()).toEqual([]);
    expect(fixture().toolCalls.map((call) => call.name)).toEqual(['issue_comment', 'issue_move']);
  });

  test('without a remote the commit stays local', async () => {
    fixture().git('remote', 'remove', 'origin');
    expect(await runOnce('')).toEqual({ kind: 'completed' });
    expect(subjects()).toHaveLength(1);
  });

  test('the remote’s default branch is left alone', async () => {
    fixture().git('switch', '--quiet', 'main');
    const before = remoteHead('main');
    expect(await runOnce('')).toEqual({ kind: 'completed' });
    expect(await runOnce('')).toEqual({ kind: 'completed' });
    expect(remoteHead('main')).toBe(before);
    expect(fixture().remoteGit('rev-list', '--count', 'main..mock/ENG-7').trim()).toBe('1');
  });

  test('the repository’s own hooks decide', async () => {
    writeHook(fixture(), 'pre-commit', 'echo "no commits on a Sunday" >&2; exit 1');
    expect(await runOnce('')).toEqual({
      kind: 'failed',
      code: 'turn_failed',
      message: 'git commit failed: no commits on a Sunday',
    });
    expect(subjects()).toEqual([]);
  });

  test('a hook that leaves a process behind does not hold up the agent', async () => {
    writeHook(fixture(), 'post-commit', 'sleep 600 &');
    expect(await runOnce('')).toEqual({ kind: 'completed' });
  });

  test('a branch that moved on in the remote is never overwritten', async () => {
    await runOnce('');
    const theirs = remoteHead();
    fixture().git('reset', '--quiet', '--hard', 'main');
    rmSync(join(fixture().workspace, 'notes'), { recursive: true, force: true });
    expect(await runOnce('behaviour: turns\nturns: 2')).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('git push failed'),
    });
    expect(remoteHead()).toBe(theirs);
  });

  test('a detached HEAD is refused in words', async () => {
    fixture().git('switch', '--quiet', '--detach');
    await expect(open('')).rejects.toMatchObject({
      code: 'port_exit',
      message: expect.stringContaining('detached HEAD'),
    });
  });

  test('a workspace that is gone is refused (R-9.5-a, R-17.2-l)', async () => {
    await expect(open('', { workspacePath: join(fixture().root, 'gone') })).rejects.toMatchObject({
      code: 'invalid_workspace_cwd',
    });
    expect(fixture().events.map((event) => event.type)).toEqual(['startup_failed']);
  });

  test('odd identifiers and titles become a safe file name and one subject line', async () => {
    const issue = { ...ISSUE, identifier: '../octo/repo#12', title: '-m "x"\n$(touch pwned) `id`' };
    expect(await runOnce('', { issue })).toEqual({ kind: 'completed' });
    expect(fixture().git('show', '--format=', '--name-only', 'HEAD').trim()).toBe('notes/octo-repo-12.md');
    expect(subjects()).toEqual(['../octo/repo#12: -m "x" $(touch pwned) `id`']);
  });
});
