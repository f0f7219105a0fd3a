import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOrphans } from '../../src/process/children/orphans.ts';
import { createRescues, type Rescues } from '../../src/workspaces/rescue/manage-rescues.ts';
import { createFixture, type Fixture, issueOf, never } from '../integration/workspaces/fixture.ts';
import { createLedger, type Ledger } from './ledger.ts';

const KILLS = Number(process.env['FAULT_KILLS'] ?? 200);
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const ISSUES = ['ENG-1', 'ENG-2', 'ENG-3'];
/** Kills land on these in turn, at a random instant of the step. */
const STEPS = [
  'prepare',
  'cloning',
  'fetching',
  'checking out',
  'hook',
  'task',
  'agent',
  'evidence',
  'remove',
  'continuing',
];
const MAX_DELAY_MS = 120;
const OWNER = `faults-${process.pid}`;

let fixture: Fixture;
let ledger: Ledger;
let rescues: Rescues;
let journal: string;
beforeAll(() => {
  fixture = createFixture();
  // Enough files for a clone and a checkout to take a while.
  const files = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, index) => [`src/f${index}.txt`, `${index}\n`]),
  );
  fixture.pushToRemote('main', { ...files, '.gitignore': 'deps/\n' }, 'main');
  journal = join(fixture.base, 'journal');
  const collector = join(fixture.base, 'collector.git');
  mkdirSync(fixture.root);
  fixture.git(fixture.base, 'clone', '--quiet', '--bare', fixture.remote, collector);
  rescues = createRescues({ root: fixture.root, environment: fixture.environment });
  const { git, root, remote, mirrorRoot } = fixture;
  ledger = createLedger({ git, root, remote, mirrorRoot, journal, collector, rescues });
});
afterAll(() => fixture.dispose());

test(`${KILLS} kills at random instants lose nothing (FAULT_SEED=${SEED})`, async () => {
  const hits = new Map<string, number>();
  for (let round = 0; round < KILLS; round += 1) {
    const step = STEPS[round % STEPS.length] ?? 'agent';
    if (step === 'cloning') rmSync(fixture.mirrorRoot, { recursive: true, force: true });
    const disturbance = disturb(round);
    const hit = await killDuring(step, SEED + round);
    disturbance.undo();
    hits.set(hit, (hits.get(hit) ?? 0) + 1);
    await endOrphans(OWNER);
    await expectUsable(`round ${round}, killed during ${hit}, ${disturbance.name}`);
  }
  const restored = await restoreAll();
  const report = [...hits].map(([step, count]) => `${step} ${count}`).join(', ');
  const changes = readFileSync(journal, 'utf8').split('\n').length - 1;
  console.log(`${KILLS} kills: ${report}; ${changes} changes, none lost; ${restored} rescues restored`);
});

/** Every rescue can be turned back into a sound checkout, without mirror or remote. */
async function restoreAll(): Promise<number> {
  rmSync(fixture.mirrorRoot, { recursive: true, force: true });
  renameSync(fixture.remote, `${fixture.remote}.gone`);
  let count = 0;
  for (const { manifest } of await rescues.list()) {
    if (manifest.directory !== null) continue;
    const target = join(fixture.base, 'restored');
    await rescues.restore(manifest.id, target, never);
    expect(fixture.git(target, 'fsck', '--no-dangling', '--no-progress'), `fsck of ${manifest.id}`).toBe('');
    rmSync(target, { recursive: true });
    count += 1;
  }
  return count;
}

/** A local remote's receiving end dies with the pusher and leaves its locks; a server's would not. */
function clearServerLocks(): void {
  for (const name of readdirSync(fixture.remote, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.lock')) rmSync(join(fixture.remote, name), { force: true });
  }
}

/** What else goes wrong meanwhile. */
function disturb(round: number): { readonly name: string; undo(): void } {
  const nothing = (): void => {};
  clearServerLocks();
  switch (round % 7) {
    case 2:
      fixture.pushToRemote('main', { [`base-${round}.txt`]: 'x' }, 'main');
      return { name: 'base moved on', undo: nothing };
    case 3: {
      const files = Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [`new/${round}-${index}.txt`, 'x']),
      );
      fixture.pushToRemote('main', { ...files, '.gitignore': 'deps/\n' });
      return { name: 'base force-pushed', undo: nothing };
    }
    case 4: {
      const gone = `${fixture.remote}.gone`;
      renameSync(fixture.remote, gone);
      return { name: 'remote gone', undo: () => renameSync(gone, fixture.remote) };
    }
    case 5: {
      const branches = fixture
        .git(fixture.remote, 'for-each-ref', '--format=%(refname)', 'refs/heads/ai')
        .split('\n');
      const [doomed] = branches.filter((name) => name !== '');
      if (doomed !== undefined) {
        fixture.git(
          join(fixture.base, 'collector.git'),
          'fetch',
          '--quiet',
          fixture.remote,
          `+${doomed}:refs/rescue/deleted/${round}`,
        );
        fixture.git(fixture.remote, 'update-ref', '-d', doomed);
      }
      return { name: 'branch deleted', undo: nothing };
    }
    default:
      return { name: 'nothing else', undo: nothing };
  }
}

/** Starts a victim and kills it, alone or with everything it started, some instant after it reached the step. */
async function killDuring(step: string, seed: number): Promise<string> {
  const argument = JSON.stringify({
    root: fixture.root,
    mirrorRoot: fixture.mirrorRoot,
    cloneUrl: pathToFileURL(fixture.remote).href,
    journal,
    owner: OWNER,
    seed,
    issues: ISSUES,
  });
  const script = fileURLToPath(new URL('victim.mjs', import.meta.url));
  const mark = `FAULT_VICTIM=${seed}`;
  const victim = spawn(process.execPath, [script, argument], {
    env: { ...fixture.environment, FAULT_VICTIM: String(seed) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const reached = await waitForStep(victim, step);
  await delay(pick(seed, MAX_DELAY_MS));
  expect(victim.exitCode, 'the victim ended by itself').toBeNull();
  victim.kill('SIGKILL');
  if (victim.signalCode === null) await once(victim, 'exit');
  if (pick(seed + 1, 2) === 0) killMarked(mark);
  return reached;
}

/** Resolves with the step; with another one when this one does not come about. */
async function waitForStep(victim: ChildProcess, step: string): Promise<string> {
  if (victim.stdout === null) throw new Error('the victim has no output');
  let last = 'start';
  const timer = AbortSignal.timeout(10_000);
  const lines = createInterface({ input: victim.stdout, signal: timer });
  for await (const line of lines) {
    last = line.replace(/^step /, '');
    if (last === step) break;
  }
  victim.stdout.resume();
  return last === step ? step : `instead of ${step}`;
}

/** As a crash of the machine would: also the git processes the victim had started. */
function killMarked(mark: string): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      if (readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(mark))
        process.kill(Number(name), 'SIGKILL');
    } catch {
      // It ended meanwhile, or is not ours to see.
    }
  }
}

/** A worker that starts now finds every workspace usable, and every change somewhere. */
async function expectUsable(when: string): Promise<void> {
  expect(await ledger.missing(), `changes missing after ${when}`).toEqual([]);
  const workspaces = fixture.workspaces({
    scope: { trackerKind: 'fault', trackerScope: 'fault' },
    minFreeBytes: 0,
  });
  const repo = { ...fixture.repo, cloneUrl: pathToFileURL(fixture.remote).href };
  for (const { identifier } of await workspaces.list()) {
    const { path } = await workspaces.prepare({ issue: issueOf(identifier), repo, onProgress() {} }, never);
    expect(fixture.git(path, 'fsck', '--no-dangling', '--no-progress'), `fsck after ${when}`).toBe('');
    fixture.git(path, 'status', '--porcelain');
    expect(existsSync(join(path, '.git/index.lock'))).toBe(false);
  }
  expect(await ledger.missing(), `changes missing after the restart after ${when}`).toEqual([]);
}

function pick(seed: number, limit: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return mixed % limit;
}
