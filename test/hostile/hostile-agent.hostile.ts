import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxConfig } from '../../src/config/config.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { createSandbox } from '../../src/runners/sandbox/sandbox.ts';
import { createDiffReader } from '../../src/workspaces/diff.ts';
import { deleteTree } from '../../src/workspaces/remove-tree.ts';
import { writeTaskFiles } from '../../src/workspaces/task-files.ts';
import type { Workspace, Workspaces } from '../../src/workspaces/workspaces.ts';
import {
  createFixture,
  type Fixture,
  issueOf,
  never,
  writeFiles,
} from '../integration/workspaces/fixture.ts';
import type { Attack, Surroundings } from './attacks/attack.ts';
import { fileAttacks, shapeAttacks } from './attacks/file-attacks.ts';
import { executionAttacks, readAttacks, theftAttacks } from './attacks/git-attacks.ts';
import { makeTrap, type Trap } from './git-traps.ts';

const CANARY = 'canary-3f9c1d-of-somebody-else';
const AGENT_MS = 60_000;
/** How long the worker may take before the operator stops it, and then to obey. */
const PATIENCE_MS = 30_000;
const OBEY_MS = 5_000;

const SANDBOX: SandboxConfig = {
  enabled: true,
  backend: 'bubblewrap',
  network: 'none',
  networkAllowlistCidrs: [],
  networkInterface: null,
  envAllowlist: ['PATH', 'HOME'],
  credentialFiles: [],
  writableFolders: [],
};

let fixture: Fixture;
let workspaces: Workspaces;
let trap: Trap;
let count = 0;

/** Known before the table is made: the attacks name these places. */
const surroundings: { -readonly [K in keyof Surroundings]: Surroundings[K] } = {
  ...{ program: '', foreign: '', foreignHead: '', neighbour: '', root: '', mirrorRoot: '', home: '' },
};

const hasBubblewrap = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;

beforeAll(() => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
  trap = makeTrap(join(fixture.base, 'trap'));
  const foreign = join(fixture.base, 'foreign');
  mkdirSync(foreign);
  fixture.git(foreign, 'init', '--quiet', '--initial-branch=main');
  fixture.commit(foreign, { 'secret.txt': `${CANARY}\n` });
  const neighbour = join(fixture.root, 'NEIGHBOUR');
  writeFiles(neighbour, { 'secret.txt': CANARY });
  writeFiles(join(fixture.root, '.aiops'), { 'state.json': CANARY });
  writeFiles(fixture.environment['HOME'] ?? '', { '.secret': CANARY, '.ssh/id': CANARY, '.netrc': CANARY });
  Object.assign(surroundings, {
    program: trap.program,
    foreign,
    foreignHead: fixture.git(foreign, 'rev-parse', 'HEAD'),
    neighbour,
    root: fixture.root,
    mirrorRoot: fixture.mirrorRoot,
    home: fixture.environment['HOME'],
  });
});
afterAll(() => deleteTree(fixture.base));

async function runAgent(workspace: Workspace, script: string): Promise<void> {
  const sandbox = createSandbox(SANDBOX, fixture.mirrorRoot);
  if (sandbox === null) throw new Error('no sandbox');
  const objects = join(workspace.git?.mirrorPath ?? '', 'objects');
  const launch = await sandbox.wrap(
    { command: 'sh', args: ['-c', script], env: fixture.environment },
    { workspacePath: workspace.path, borrowedFolders: [objects], stateFolders: [], variables: [] },
  );
  const result = await runCommand({ ...launch, cwd: workspace.path, timeoutMs: AGENT_MS });
  expect(result.outcome, result.stderr).toBe('exited');
}

/** Fails when a step neither ends in time nor obeys a stop. Its refusals are its own affair. */
async function bounded<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T | null> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => {
      stop.abort(new Error('stopped by the operator'));
      timer = setTimeout(() => resolve('late'), OBEY_MS);
    }, PATIENCE_MS);
  });
  const end = await Promise.race([work(stop.signal).catch(() => null), late]);
  clearTimeout(timer);
  expect(end, 'the stop was obeyed').not.toBe('late');
  return end === 'late' ? null : end;
}

function mirrorHolds(workspace: Workspace, commit: string): boolean {
  const { status } = spawnSync('git', ['cat-file', '-e', commit], { cwd: workspace.git?.mirrorPath });
  return status === 0;
}

async function survive(attack: Attack): Promise<void> {
  count += 1;
  const issue = issueOf(`EVIL-${count}`);
  const workspace = await fixture.prepareConfirmed(workspaces, issue);
  await writeTaskFiles({ workspacePath: workspace.path, issue, prompt: 'Do it.' });
  writeFileSync(join(workspace.path, 'precious.txt'), 'precious');
  await runAgent(workspace, attack.script);
  const loot = join(workspace.path, 'loot');
  if (existsSync(loot)) expect(readFileSync(loot, 'utf8')).not.toContain(CANARY);

  const evidence = await bounded((stop) => workspaces.evidence(workspace, stop));
  const read = createDiffReader(fixture.environment);
  const { root } = fixture;
  const diff = await bounded((signal) => read({ root, path: workspace.path, baseBranch: 'main', signal }));
  expect(JSON.stringify([evidence, diff])).not.toContain(CANARY);
  await bounded((stop) => workspaces.push(issue.identifier, { commit: null, force: false }, stop));
  const again = await bounded((stop) =>
    workspaces.prepare({ issue, repo: fixture.repo, onProgress: () => {} }, stop),
  );
  expect(again).not.toBeNull();
  if (again !== null)
    await bounded(() => writeTaskFiles({ workspacePath: again.path, issue, prompt: 'Go on.' }));
  const removal = await bounded((stop) => workspaces.remove(issue.identifier, stop));
  expect(removal).toMatchObject({ removed: true });

  expect(existsSync(trap.proof), 'nothing of it ran outside').toBe(false);
  expect(existsSync(`${trap.program}.trace`)).toBe(false);
  expect(mirrorHolds(workspace, surroundings.foreignHead)).toBe(false);
  expect(fixture.git(surroundings.foreign, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(surroundings.neighbour, 'secret.txt'), 'utf8')).toBe(CANARY);
  await expectKept(issue.identifier);
}

async function expectKept(identifier: string): Promise<void> {
  const { createRescues } = await import('../../src/workspaces/rescue/rescues.ts');
  const rescues = createRescues({ root: fixture.root, environment: fixture.environment });
  const saved = (await rescues.list()).filter(({ manifest }) => manifest.identifier === identifier);
  expect(saved.length, 'the work was saved').toBeGreaterThan(0);
  const [first] = saved;
  if (first === undefined) return;
  const target = join(fixture.base, `restored-${identifier}`);
  await rescues.restore(first.manifest.id, target, never);
  expect(readFileSync(join(target, 'precious.txt'), 'utf8')).toBe('precious');
}

const TABLES: readonly (readonly [string, () => readonly Attack[]])[] = [
  ['a file of the wrong kind', fileAttacks],
  ['a tree of the wrong shape', shapeAttacks],
  ['a setting that runs a program', () => executionAttacks(surroundings)],
  ['a way to another repository', () => theftAttacks(surroundings)],
  ['a look around', () => readAttacks(surroundings)],
];

describe.runIf(hasBubblewrap).each(TABLES)('%s', (_, table) => {
  // The number of rows does not depend on where things are; their scripts do.
  test.each(table().map(({ name }, index) => [name, index] as const))('%s', async (_name, index) => {
    const attack = table()[index];
    if (attack === undefined) throw new Error('no such attack');
    await survive(attack);
  });
});

test('the corpus is large enough to mean something', () => {
  expect(TABLES.reduce((sum, [, table]) => sum + table().length, 0)).toBeGreaterThanOrEqual(120);
  expect(hasBubblewrap, 'bubblewrap is installed and allowed').toBe(true);
});
