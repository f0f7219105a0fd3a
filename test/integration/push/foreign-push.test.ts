import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Logger } from '../../../src/observability/logger.ts';
import { readForeignPushes } from '../../../src/workspaces/ownership/seen-branch.ts';
import type { Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from '../workspaces/fixture.ts';

const BRANCH = 'ai/ENG-1';
const DAY = 86_400_000;

/** A worker of a machine of its own: nothing but the remote is shared. */
interface Machine {
  readonly root: string;
  readonly workspaces: Workspaces;
  readonly warned: string[];
}

let fixture: Fixture;
let here: Machine;

beforeEach(() => {
  fixture = createFixture();
  here = machine('here');
});
afterEach(() => fixture.dispose());

function machine(name: string): Machine {
  const root = join(fixture.base, name, 'root');
  const warned: string[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn: (message) => void warned.push(message),
    error() {},
    with: () => logger,
  };
  const workspaces = fixture.workspaces({ root, mirrorRoot: join(fixture.base, name, 'mirrors'), logger });
  return { root, workspaces, warned };
}

const begin = ({ workspaces }: Machine): Promise<Workspace> =>
  fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
const push = ({ workspaces }: Machine, force = false) =>
  workspaces.push('ENG-1', { commit: null, force }, never);
const told = ({ root }: Machine, now = Date.now()) => readForeignPushes(root, now);
const onRemote = (): string => fixture.git(fixture.remote, 'rev-parse', `refs/heads/${BRANCH}`);
const NOTICED = expect.stringContaining('not through this worker');

test('two workers at the same issue: the one whose push comes second is told of the first, once', async () => {
  const there = machine('there');
  const mine = await begin(here);
  const theirs = await begin(there);
  fixture.commit(theirs.path, { 'theirs.txt': '1\n' });
  expect(await push(there)).toMatchObject({ ok: true });
  fixture.commit(mine.path, { 'mine.txt': '1\n' });
  for (const _ of [1, 2]) expect(await push(here)).toMatchObject({ ok: false, code: 'not_fast_forward' });
  expect(await told(here)).toEqual([
    { identifier: 'ENG-1', branch: BRANCH, commit: onRemote(), author: 'Tester <tester@example.com>' },
  ]);
  expect(here.warned.filter((line) => line.includes('not through this worker'))).toHaveLength(1);
  expect(await told(there)).toEqual([]);
  expect(await told(here, Date.now() + 2 * DAY)).toEqual([]);
  await here.workspaces.remove('ENG-1', never);
  expect(await told(here)).toEqual([]);
});

test('it is seen also by a run that pushes nothing more, and when the agent has taken over what came', async () => {
  const mine = await begin(here);
  fixture.commit(mine.path, { 'mine.txt': '1\n' });
  await push(here);
  const first = fixture.pushToRemote(BRANCH, { 'first.txt': '1\n' }, BRANCH);
  await here.workspaces.evidence(mine);
  expect(await told(here)).toMatchObject([{ commit: first, author: 'Tester <tester@example.com>' }]);
  const second = fixture.pushToRemote(BRANCH, { 'second.txt': '1\n' }, BRANCH);
  // Spelt as no workflow spells it, so that no setting of the workspace leads elsewhere.
  fixture.git(mine.path, 'pull', '--quiet', '--rebase', `${fixture.base}/./remote.git`, BRANCH);
  fixture.commit(mine.path, { 'more.txt': '1\n' });
  expect(await push(here)).toMatchObject({ ok: true });
  expect(await told(here)).toMatchObject([{ commit: second }]);
  expect(here.warned).toEqual([NOTICED, NOTICED]);
});

test('nothing is told of own pushes, amended and forced ones, nor of what people push between runs', async () => {
  const mine = await begin(here);
  fixture.commit(mine.path, { 'mine.txt': '1\n' });
  await push(here);
  fixture.git(mine.path, 'commit', '--quiet', '--amend', '--message', 'Better');
  await here.workspaces.evidence(mine);
  expect(await push(here, true)).toMatchObject({ ok: true });
  await here.workspaces.evidence(mine);
  const review = fixture.pushToRemote(BRANCH, { 'review.txt': 'fix\n' }, BRANCH);
  const again = await begin(here);
  expect(again.git?.headAtStart).toBe(review);
  fixture.commit(again.path, { 'more.txt': '1\n' });
  expect(await push(here)).toMatchObject({ ok: true });
  await here.workspaces.evidence(again);
  expect([await told(here), here.warned]).toEqual([[], []]);
});

test('an agent that pushes by itself is not taken for somebody else', async () => {
  const repo = { ...fixture.repo, push: 'agent' as const };
  const workspaces = fixture.workspaces({ root: here.root, repo });
  const mine = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'), repo);
  fixture.commit(mine.path, { 'mine.txt': '1\n' });
  fixture.push(mine.path, `HEAD:refs/heads/${BRANCH}`);
  fixture.git(mine.path, 'commit', '--quiet', '--amend', '--message', 'Better');
  await workspaces.evidence(mine);
  expect(await told(here)).toEqual([]);
  const theirs = fixture.pushToRemote(BRANCH, { 'theirs.txt': '1\n' }, BRANCH);
  await workspaces.evidence(mine);
  expect(await told(here)).toMatchObject([{ commit: theirs }]);
});

test('nothing is said where nothing is known: the remote was away when the run began', async () => {
  const mine = await begin(here);
  fixture.commit(mine.path, { 'mine.txt': '1\n' });
  await push(here);
  fixture.pushToRemote(BRANCH, { 'review.txt': 'fix\n' }, BRANCH);
  renameSync(fixture.remote, `${fixture.remote}.away`);
  const again = await begin(here);
  renameSync(`${fixture.remote}.away`, fixture.remote);
  fixture.commit(again.path, { 'more.txt': '1\n' });
  for (const _ of [1, 2]) expect(await push(here)).toMatchObject({ ok: false });
  expect(await told(here)).toEqual([]);
});
