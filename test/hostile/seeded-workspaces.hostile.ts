import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/errors/app-error.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import { deleteTree } from '../../src/process/helper/helper.ts';
import { continueWorkspace, isReadable } from '../../src/workspaces/checkout/continue-workspace.ts';
import { layoutOf } from '../../src/workspaces/files/layout.ts';
import { createGit } from '../../src/workspaces/git/git.ts';
import { createLocks } from '../../src/workspaces/locks/locks.ts';
import type { Mirror } from '../../src/workspaces/mirror/mirrors.ts';
import {
  branchOf,
  type OwnershipRecord,
  readRecord,
  recogniseWorkspace,
} from '../../src/workspaces/ownership/ownership-record.ts';
import { createDiffReader } from '../../src/workspaces/reading/diff.ts';
import { openView } from '../../src/workspaces/reading/repository-view.ts';
import { rescueWork } from '../../src/workspaces/rescue/save-rescue.ts';
import type { Workspace, Workspaces } from '../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from '../integration/workspaces/fixture.ts';
import { mutate, randomOf } from './fixture/seeds.ts';

const SEEDS = Number(process.env['HOSTILE_SEEDS'] ?? 1_000);
/** Where to go on after a run that was cut short. */
const FIRST = Number(process.env['HOSTILE_FIRST_SEED'] ?? 1);
/** On a machine that does much else as well. */
const MAX_MS_PER_SEED = 5_000;
const TOLD_EVERY = 500;
/** Workspaces that are attacked at the same time. */
const LANES = 4;
/** What the process may take beyond what it took after the first hundreds, however many more come. */
const MAX_GROWTH = 150 * 1024 * 1024;
const WARM_UP = 400;
/** Thousands of small folders are made and removed: a disk would take most of the time. */
const IN_MEMORY = '/dev/shm';
const CANARY = 'canary-of-somebody-else';

let fixture: Fixture;
let workspaces: Workspaces;
beforeAll(() => {
  fixture = createFixture(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir());
  workspaces = fixture.workspaces();
});
afterAll(() => deleteTree(fixture.base));

/** One workspace of a run, with what its record says, and its contents as they were. */
interface Lane {
  readonly workspace: Workspace;
  readonly record: OwnershipRecord;
  readonly mirror: Mirror;
  readonly template: string;
}

async function openLane(number: number): Promise<Lane> {
  const issue = issueOf(`SEED-${number}`);
  const workspace = await fixture.prepareConfirmed(workspaces, issue);
  fixture.commit(workspace.path, { 'work.txt': 'committed' });
  writeFileSync(join(workspace.path, 'precious.txt'), 'precious');
  await deleteTree(join(workspace.path, '.git', 'hooks'));
  const record = await readRecord(layoutOf(fixture.root), workspace.key);
  if (record === null || record === 'unreadable') throw new Error('no record');
  const template = join(fixture.base, `template-${number}`);
  cpSync(workspace.path, template, { recursive: true, verbatimSymlinks: true });
  const path = workspace.git?.mirrorPath ?? '';
  const refs = new Map(
    fixture
      .git(path, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/remotes/origin')
      .split('\n')
      .map((line): [string, string] => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
  );
  return {
    workspace,
    record,
    template,
    mirror: { path, refs, identity: record.repository ?? '', url: fixture.remote },
  };
}

/** The same folders again, since their identity is on record, with the contents of the template. */
async function restore({ workspace: { path }, template }: Lane): Promise<void> {
  for (const folder of [path, join(path, '.git')]) {
    if (!existsSync(folder)) mkdirSync(folder);
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      if (folder === path && name.toString() === '.git') continue;
      await deleteTree(join(folder, name.toString()));
    }
  }
  cpSync(template, path, { recursive: true, verbatimSymlinks: true });
}

type Outcome = 'read' | 'refused' | 'set aside';

/** Whatever the worker does with a workspace between and after runs. Refusals it knows are fine; anything else is not. */
async function readAndSave(lane: Lane): Promise<Outcome> {
  const { workspace, record, mirror } = lane;
  const { path } = workspace;
  const git = createGit(fixture.environment);
  const layout = layoutOf(fixture.root);
  const evidence = await known(() => workspaces.evidence(workspace, never));
  const read = createDiffReader(fixture.environment);
  const diff = await known(() => read({ root: fixture.root, path, baseBranch: 'main', signal: never }));
  expect(JSON.stringify([evidence, diff])).not.toContain(CANARY);
  await known(async () => {
    const found = await recogniseWorkspace(layout, path);
    if (found === null) return;
    const objects = [join(mirror.path, 'objects')];
    const view = await openView({
      git,
      workTree: path,
      scratch: layout.staging,
      objects,
      location: found.location,
    });
    if (view === null) return;
    try {
      const branch = branchOf(record);
      const { repo } = fixture;
      if (await isReadable(view, false, mirror, never))
        await continueWorkspace(git, silentLogger, {
          view,
          repo,
          branch,
          mirror,
          configSettled: false,
          signal: never,
        });
    } finally {
      await view.close();
    }
  });
  const request = { record, path, reason: 'removed', mirror, signal: never };
  const rescue = await rescueWork(request, { git, layout, locks: createLocks(), logger: silentLogger });
  expect(rescue, 'the work was saved').not.toBeNull();
  return takeBack(rescue ?? '', path, evidence === null);
}

async function known<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** A workspace that was set aside comes back for the next seed; a bundle has done its duty. */
async function takeBack(rescue: string, path: string, refused: boolean): Promise<Outcome> {
  const aside = join(rescue, 'workspace');
  const wasMoved = !existsSync(path) && existsSync(aside);
  if (wasMoved) renameSync(aside, path);
  await deleteTree(rescue);
  if (wasMoved) return 'set aside';
  return refused ? 'refused' : 'read';
}

/** Of this process, and of the children it has waited for. */
function cpuSeconds(): { readonly own: number; readonly children: number } {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { own: (user + system) / 100, children: (childUser + childSystem) / 100 };
}

/** The most this process has ever held in memory. */
function peakKib(): number {
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}

function residentBytes(): number {
  return process.memoryUsage().rss;
}

test(
  `${SEEDS} hostile workspaces are read, saved, gone on with and removed without harm`,
  async () => {
    const pipe = join(fixture.base, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const file = join(fixture.base, 'secret');
    writeFileSync(file, CANARY);
    const outcomes = new Map<Outcome, number>();
    let next = FIRST;
    let warm = 0;
    let most = 0;
    const work = async (number: number): Promise<void> => {
      const lane = await openLane(number);
      for (let seed = next++; seed < FIRST + SEEDS; seed = next++) {
        await restore(lane);
        mutate(lane.workspace.path, randomOf(seed), { pipe, file });
        const outcome = await readAndSave(lane).catch((error: unknown) => {
          throw new Error(`seed ${seed}`, { cause: error });
        });
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        const done = seed - FIRST + 1;
        if (done === WARM_UP) warm = residentBytes();
        if (done > WARM_UP) most = Math.max(most, residentBytes());
        if (done % TOLD_EVERY === 0) process.stdout.write(`seed ${seed}: ${JSON.stringify([...outcomes])}\n`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, number) => work(number)));
    process.stdout.write(
      `${JSON.stringify({ ...Object.fromEntries(outcomes), warm, most, peakKib: peakKib(), ...cpuSeconds() })}\n`,
    );
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(SEEDS);
    expect(readFileSync(file, 'utf8')).toBe(CANARY);
    expect(fixture.git(fixture.remote, 'rev-list', '--count', 'main')).toBe('1');
    expect(most - warm).toBeLessThan(MAX_GROWTH);
  },
  SEEDS * MAX_MS_PER_SEED,
);
