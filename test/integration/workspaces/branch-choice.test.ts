import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import type { Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from './fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

/** The remote's commits of this fixture are of 2023. */
const task = (createdAt: string | null = '2026-01-01T10:00:00.500Z', id = 'TASK-1'): Issue => ({
  ...issueOf(id),
  createdAt,
});
const onRemote = (branch: string): string => fixture.git(fixture.remote, 'rev-parse', `refs/heads/${branch}`);
const oldBranch = (name = 'ai/TASK-1'): string =>
  fixture.pushToRemote(name, { 'old.txt': 'of another time\n' }, 'main');
const push = (workspaces: Workspaces) => workspaces.push('TASK-1', { commit: null, force: false }, never);
const recordPath = (): string => join(fixture.root, '.aiops/owners/task-1.json');

describe('a branch of the remote that is older than the issue of a local folder', () => {
  test('is left alone: workspace, push and evidence use another name, and the run is told', async () => {
    const old = oldBranch();
    const workspaces = fixture.workspaces();
    const told: string[] = [];
    const workspace = await workspaces.prepare(
      { issue: task(), repo: fixture.repo, onProgress: (detail) => told.push(detail) },
      never,
    );
    expect(workspace.git).toMatchObject({ branch: 'ai/TASK-1-2', headAtStart: onRemote('main') });
    expect(told).toContain('on ai/TASK-1-2, because ai/TASK-1 is not of this issue');
    expect(fixture.git(workspace.path, 'branch', '--show-current')).toBe('ai/TASK-1-2');

    fixture.commit(workspace.path, { 'new.txt': 'new\n' });
    const head = fixture.git(workspace.path, 'rev-parse', 'HEAD');
    expect(await push(workspaces)).toMatchObject({ ok: true, branch: 'ai/TASK-1-2', commit: head });
    expect(onRemote('ai/TASK-1-2')).toBe(head);
    expect(onRemote('ai/TASK-1')).toBe(old);
    expect(await workspaces.evidence(workspace)).toMatchObject({ branch: 'ai/TASK-1-2', pushed: true });
  });

  test('is passed by a plain git push too', async () => {
    const old = oldBranch();
    const workspaces = fixture.workspaces();
    const workspace = await fixture.prepareConfirmed(workspaces, task());
    fixture.commit(workspace.path, { 'new.txt': 'new\n' });
    const relay = workspaces.openRelay(workspace, (request) => workspaces.push('TASK-1', request, never));
    try {
      const options = { cwd: workspace.path, env: fixture.environment };
      await promisify(execFile)('git', ['push', '--quiet', 'origin', 'HEAD'], options);
    } finally {
      await relay.close();
    }
    expect(onRemote('ai/TASK-1-2')).toBe(fixture.git(workspace.path, 'rev-parse', 'HEAD'));
    expect(onRemote('ai/TASK-1')).toBe(old);
  });

  test('takes further names with it that are as old', async () => {
    oldBranch();
    oldBranch('ai/TASK-1-2');
    const workspace = await fixture.prepare(fixture.workspaces(), task());
    expect(workspace.git?.branch).toBe('ai/TASK-1-3');
  });

  test('does not make two issues share a name', async () => {
    oldBranch();
    const workspaces = fixture.workspaces();
    expect((await fixture.prepare(workspaces, task(undefined, 'TASK-1-2'))).git?.branch).toBe('ai/TASK-1-2');
    expect((await fixture.prepare(workspaces, task())).git?.branch).toBe('ai/TASK-1-3');
  });
});

describe('the chosen name', () => {
  test('stays over restarts, also when the old branch is gone by then', async () => {
    oldBranch();
    await fixture.prepareConfirmed(fixture.workspaces(), task());
    fixture.git(fixture.remote, 'branch', '-D', 'ai/TASK-1');
    const again = await fixture.prepare(fixture.workspaces(), task());
    expect(again).toMatchObject({ createdNow: false, git: { branch: 'ai/TASK-1-2' } });
  });

  test('is found again after the workspace was removed, with what was pushed', async () => {
    oldBranch();
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, task());
    fixture.commit(path, { 'new.txt': 'new\n' });
    await push(workspaces);
    await workspaces.remove('TASK-1', never);
    const again = await fixture.prepare(fixture.workspaces(), task());
    expect(again.git).toMatchObject({ branch: 'ai/TASK-1-2', headAtStart: onRemote('ai/TASK-1-2') });
    expect(readFileSync(join(again.path, 'new.txt'), 'utf8')).toBe('new\n');
  });

  test('is not settled by a first attempt that never saw the remote', async () => {
    oldBranch();
    const away = `${fixture.remote}.away`;
    fixture.git(fixture.base, 'clone', '--quiet', '--mirror', fixture.remote, away);
    rmSync(fixture.remote, { recursive: true });
    await expect(fixture.prepare(fixture.workspaces(), task())).rejects.toThrow();
    fixture.git(fixture.base, 'clone', '--quiet', '--mirror', away, fixture.remote);
    expect((await fixture.prepare(fixture.workspaces(), task())).git?.branch).toBe('ai/TASK-1-2');
  });
});

describe('a branch that is the issue’s own, or may be, is gone on with', () => {
  test('after its workspace was removed', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, task());
    fixture.commit(path, { 'new.txt': 'new\n' });
    expect(await push(workspaces)).toMatchObject({ ok: true, branch: 'ai/TASK-1' });
    await workspaces.remove('TASK-1', never);
    const again = await fixture.prepare(workspaces, task());
    expect(again.git).toMatchObject({ branch: 'ai/TASK-1', headAtStart: onRemote('ai/TASK-1') });
  });

  test.each([
    ['in the same second', (second: number) => new Date(second * 1000 + 999).toISOString()],
    ['without a date of the issue', () => null],
    ['with a date to come', () => '2999-01-01T00:00:00.000Z'],
  ])('%s', async (_name, createdAt) => {
    const old = oldBranch();
    const second = Number(fixture.git(fixture.remote, 'show', '--no-patch', '--format=%ct', old));
    const workspace = await fixture.prepare(fixture.workspaces(), task(createdAt(second)));
    expect(workspace.git).toMatchObject({ branch: 'ai/TASK-1', headAtStart: old });
  });

  test('with a tracker that never gives an id twice', async () => {
    const old = oldBranch();
    const scope = { trackerKind: 'linear', trackerScope: 'team-a' };
    const workspace = await fixture.prepare(fixture.workspaces({ scope, reusesIds: false }), task());
    expect(workspace.git).toMatchObject({ branch: 'ai/TASK-1', headAtStart: old });
  });

  test('with a record of an earlier version, which names no branch', async () => {
    const workspaces = fixture.workspaces();
    await fixture.prepareConfirmed(workspaces, task());
    const { branch, ...earlier } = JSON.parse(readFileSync(recordPath(), 'utf8'));
    expect(branch).toBe('ai/TASK-1');
    writeFileSync(recordPath(), JSON.stringify(earlier));
    rmSync(join(fixture.root, 'TASK-1'), { recursive: true });
    const old = oldBranch();
    const workspace = await fixture.prepare(fixture.workspaces(), task());
    expect(workspace.git).toMatchObject({ branch: 'ai/TASK-1', headAtStart: old });
  });
});
