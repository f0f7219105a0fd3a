import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PushRequest, PushResult } from '../../../src/domain/push.ts';
import type { Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from '../workspaces/fixture.ts';

const BRANCH = 'ai/ENG-1';
const REF = `refs/heads/${BRANCH}`;

let fixture: Fixture;
let workspaces: Workspaces;
let workspace: Workspace;

beforeEach(async () => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
  workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
});
afterEach(() => fixture.dispose());

const push = (request: Partial<PushRequest> = {}): Promise<PushResult> =>
  workspaces.push('ENG-1', { commit: null, force: false, ...request }, never);
const head = (): string => fixture.git(workspace.path, 'rev-parse', 'HEAD');
const onRemote = (ref = REF): string => fixture.git(fixture.remote, 'rev-parse', ref);

describe('a push of the own branch', () => {
  test('reaches the remote, and mirror and workspace know it', async () => {
    fixture.commit(workspace.path, { 'new.txt': 'new\n' });
    expect(await push()).toEqual({
      ok: true,
      branch: BRANCH,
      commit: head(),
      changed: true,
      remoteLines: [],
    });
    expect(onRemote()).toBe(head());
    expect(fixture.git(workspace.path, 'rev-parse', `refs/remotes/origin/${BRANCH}`)).toBe(head());
    const mirror = workspace.git?.mirrorPath ?? '';
    expect(fixture.git(mirror, 'rev-parse', `refs/remotes/origin/${BRANCH}`)).toBe(head());
    expect(await push()).toMatchObject({ ok: true, changed: false });
    expect(await workspaces.evidence(workspace)).toMatchObject({ pushed: true, commitsAhead: 1 });
  });

  test('takes a named commit, moves on by fast-forward, and leaves everything else on the remote alone', async () => {
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    const first = head();
    fixture.commit(workspace.path, { 'two.txt': '2\n' });
    const main = onRemote('refs/heads/main');
    expect(await push({ commit: first })).toMatchObject({ ok: true, commit: first });
    expect(onRemote()).toBe(first);
    expect(await push()).toMatchObject({ ok: true, commit: head(), changed: true });
    expect(onRemote('refs/heads/main')).toBe(main);
    expect(fixture.git(fixture.remote, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      REF,
      'refs/heads/main',
    ]);
  });

  test('replaces its own commits with force, and only with it', async () => {
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    await push();
    fixture.git(workspace.path, 'commit', '--quiet', '--amend', '--message', 'Better');
    expect(await push()).toMatchObject({ ok: false, code: 'not_fast_forward' });
    expect(await push({ force: true })).toMatchObject({ ok: true, commit: head(), changed: true });
    expect(onRemote()).toBe(head());
  });

  test("never replaces somebody else's commits that the workspace has not seen", async () => {
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    await push();
    const theirs = fixture.pushToRemote(BRANCH, { 'review.txt': 'theirs\n' }, BRANCH);
    fixture.git(workspace.path, 'commit', '--quiet', '--amend', '--message', 'Better');
    for (const force of [false, true]) expect(await push({ force })).toMatchObject({ ok: false });
    expect(await push({ force: true })).toMatchObject({ code: 'remote_moved' });
    expect(onRemote()).toBe(theirs);
  });

  test("hands back what the remote's hook says when it refuses", async () => {
    const hook = join(fixture.remote, 'hooks', 'pre-receive');
    writeFileSync(
      hook,
      '#!/bin/sh\necho "Sign your commits first."\nprintf "\\033[31mred\\033[0m\\n" >&2\nexit 1\n',
    );
    chmodSync(hook, 0o755);
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    const result = await push();
    expect(result).toMatchObject({ ok: false, code: 'rejected' });
    expect(result.remoteLines).toEqual(['Sign your commits first.', 'red']);
    expect(result).toMatchObject({ message: expect.stringContaining('pre-receive hook declined') });
  });

  test('is refused without a workspace, without a commit, and when it is stopped', async () => {
    expect(await workspaces.push('ENG-2', { commit: null, force: false }, never)).toMatchObject({
      code: 'no_workspace',
    });
    expect(await push({ commit: 'f'.repeat(40) })).toMatchObject({ code: 'no_commit' });
    for (const commit of ['HEAD', '--upload-pack=evil', `${'a'.repeat(39)}G`, 'a'.repeat(64)])
      expect(await push({ commit })).toMatchObject({ ok: false, code: 'invalid_commit' });
    const stopped = AbortSignal.abort(new Error('stop'));
    expect(await workspaces.push('ENG-1', { commit: null, force: false }, stopped)).toMatchObject({
      code: 'stopped',
    });
  });
});
