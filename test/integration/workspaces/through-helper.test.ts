import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LogFields, type Logger, silentLogger } from '../../../src/observability/logger.ts';
import { enableHelper } from '../../../src/process/helper/helper.ts';
import { createWorkspacesThroughHelper } from '../../../src/workspaces/helper/through-helper.ts';
import type { Workspaces } from '../../../src/workspaces/workspaces.ts';
import { isRunning } from '../process/fixture.ts';
import { helperIsThere } from '../process/helper-fixture.ts';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
let workspaces: Workspaces;
let logged: { message: string; fields: LogFields }[];
let helper: number;
let end: () => Promise<void>;

/** Writes down which process started a git. */
function watchedGit(body = ''): Record<string, string> {
  const folder = join(fixture.base, 'bin');
  mkdirSync(folder, { recursive: true });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const log = join(fixture.base, 'starters');
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\nprintf '%s %s\\n' "$PPID" "$1" >>'${log}'\n${body}\nexec '${real}' "$@"\n`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  return { ...fixture.environment, PATH: `${folder}:${fixture.environment['PATH']}` };
}

function starters(): Set<number> {
  const lines = readFileSync(join(fixture.base, 'starters'), 'utf8').split('\n').filter(Boolean);
  return new Set(lines.map((line) => Number.parseInt(line, 10)));
}

function make(environment: Record<string, string>): Workspaces {
  const logger = (always: LogFields): Logger => ({
    ...silentLogger,
    info: (message, fields) => logged.push({ message, fields: { ...always, ...fields } }),
    with: (fields) => logger({ ...always, ...fields }),
  });
  return createWorkspacesThroughHelper({
    root: fixture.root,
    mirrorRoot: fixture.mirrorRoot,
    scope: { trackerKind: 'local', trackerScope: 'team-a' },
    repo: fixture.repo,
    environment,
    logger: logger({}),
  });
}

beforeEach(async () => {
  fixture = createFixture();
  logged = [];
  const enabled = enableHelper();
  end = () => enabled.close();
  helper = await helperIsThere();
  workspaces = make(watchedGit());
});
afterEach(async () => {
  await end();
  fixture.dispose();
});

test('a run’s workspace is made, looked at and removed by the helper, which says what happens on the way', async () => {
  const progress: string[] = [];
  const workspace = await workspaces.prepare(
    { issue: issueOf('ENG-1'), repo: fixture.repo, onProgress: (detail) => progress.push(detail) },
    never,
  );
  await workspaces.confirmCreated(workspace);
  expect(progress).toContain('checking out');
  fixture.commit(workspace.path, { 'new.txt': 'new\n' });
  writeFiles(workspace.path, { 'loose.txt': 'loose\n' });
  expect(await workspaces.evidence(workspace)).toMatchObject({ commitsAhead: 1, uncommittedFiles: 1 });
  expect(await workspaces.branchStanding('ENG-1', never)).toEqual({ pushed: false, commitsAhead: 1 });
  expect(await workspaces.push('ENG-1', { commit: null, force: false }, never)).toMatchObject({ ok: true });
  expect(await workspaces.list()).toMatchObject([{ identifier: 'ENG-1', path: workspace.path }]);

  const before: string[] = [];
  const report = await workspaces.remove('ENG-1', never, {
    async beforeRemove({ path }) {
      before.push(path);
      expect(existsSync(join(path, 'loose.txt'))).toBe(true);
    },
  });
  expect(before).toEqual([workspace.path]);
  expect(existsSync(join(report.rescuedTo ?? '', 'manifest.json'))).toBe(true);
  expect(existsSync(workspace.path)).toBe(false);
  expect(logged).toContainEqual({
    message: 'saved unpushed work before removing a workspace',
    fields: {
      issue_id: 'ENG-1',
      issue_identifier: 'ENG-1',
      workspace: workspace.path,
      rescue: report.rescuedTo,
    },
  });
  expect(starters()).toEqual(new Set([helper]));
});

test('errors come with their code and what to do, and a failing before_remove stops nothing', async () => {
  const elsewhere = { ...fixture.repo, defaultBranch: 'nowhere' };
  const failing = workspaces.prepare({ issue: issueOf('ENG-1'), repo: elsewhere, onProgress() {} }, never);
  await expect(failing).rejects.toMatchObject({
    name: 'AppError',
    code: 'workspace_unusable',
    hint: 'Set repo.default_branch to the branch work starts from.',
  });
  const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-2'));
  const report = await workspaces.remove('ENG-2', never, {
    beforeRemove: () => Promise.reject(new Error('the hook failed')),
  });
  expect(report.removed).toBe(true);
  expect(existsSync(path)).toBe(false);
});

test('a call that is stopped ends with the reason it was stopped for, and its git with it', async () => {
  const slow = make(
    watchedGit(`case "$1" in fetch) touch '${fixture.base}/fetching'; exec sleep 1000;; esac`),
  );
  const stop = new AbortController();
  const preparing = slow.prepare(
    { issue: issueOf('ENG-1'), repo: fixture.repo, onProgress() {} },
    stop.signal,
  );
  const outcome = preparing.catch((error: unknown) => error);
  await expect.poll(() => existsSync(join(fixture.base, 'fetching')), { timeout: 30_000 }).toBe(true);
  const reason = { kind: 'operator', by: 'someone' };
  stop.abort(reason);
  expect(await outcome).toBe(reason);
  expect(execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })).not.toContain('sleep 1000');
});

test('when the helper dies on the way, its git is ended and the worker does it itself', async () => {
  const mark = join(fixture.base, 'fetching');
  // Only the first hangs.
  const hang = `case "$1" in fetch) if [ ! -e '${mark}' ]; then echo $$ >'${mark}'; exec sleep 1001; fi;; esac`;
  const slow = make(watchedGit(hang));
  const preparing = slow.prepare({ issue: issueOf('ENG-1'), repo: fixture.repo, onProgress() {} }, never);
  await expect.poll(() => existsSync(mark), { timeout: 30_000 }).toBe(true);
  process.kill(helper, 'SIGKILL');
  expect(await preparing).toMatchObject({ createdNow: true });
  expect(execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })).not.toContain('sleep 1001');
  expect(starters()).toContain(process.pid);
});

test('when the worker lets go of it, what it was doing ends, and its git', async () => {
  const mark = join(fixture.base, 'fetching');
  const hang = `case "$1" in fetch) if [ ! -e '${mark}' ]; then echo $$ >'${mark}'; exec sleep 1002; fi;; esac`;
  const slow = make(watchedGit(hang));
  const preparing = slow.prepare({ issue: issueOf('ENG-1'), repo: fixture.repo, onProgress() {} }, never);
  await expect.poll(() => existsSync(mark), { timeout: 30_000 }).toBe(true);
  await end();
  expect(await preparing).toMatchObject({ createdNow: true });
  await expect.poll(() => isRunning(helper), { timeout: 30_000 }).toBe(false);
  expect(execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })).not.toContain('sleep 1002');
});
