import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { deleteTree } from '../../../src/workspaces/removal/remove-tree.ts';
import { createRescues } from '../../../src/workspaces/rescue/rescues.ts';
import { processesOfRun } from '../../contracts/runner-stage.ts';
import { git } from '../../e2e/cli/git.ts';
import { waitFor } from '../../e2e/cli/wait.ts';
import type { Attack, Surroundings } from '../attacks/attack.ts';
import { makeTrap, type Trap } from '../git-traps.ts';
import { CANARY, type HostileStage } from './hostile-stage.ts';

/**
 * A stop that is not over by then hangs. The promise is five seconds (HOSTILE_STOP_MS=5000 holds every row to it); a machine
 * that does much else at the same time is no reason to fail, so what took longer is printed.
 */
const OBEY_MS = Number(process.env['HOSTILE_STOP_MS'] ?? 60_000);
const PATIENCE_MS = 90_000;
const OURS = new Set(['An attack', 'Somebody else']);
const never = new AbortController().signal;

export interface Neighbour {
  readonly id: string;
  readonly identifier: string;
  readonly workspace: string;
}

/** How long each stop took, by attack. */
export const stopTimes = new Map<string, number>();

/**
 * One attack from its first run to the removal of its workspace: a run that attacks and is stopped, the reading of what
 * it left, a second run in the same workspace where that matters, the clean-up with its rescue.
 */
export async function survive(
  scene: HostileStage,
  neighbour: Neighbour,
  attackOf: (surroundings: Surroundings) => Attack,
): Promise<void> {
  const { linear, worker, stage, order } = scene;
  const issue = linear.store.addIssue({ state: 'Backlog', title: 'An attack' });
  const identifier = linear.store.identifierOf(issue);
  const trap = makeTrap(join(stage.directory, 'traps', identifier));
  const attack = attackOf(surroundingsOf(scene, neighbour, trap, { id: issue.id, identifier }));
  const workspace = stage.workspace(identifier);
  order(issue.id, { steps: [{ sh: 'echo precious > precious.txt' }, ...attack.steps], end: 'wait' });
  linear.store.move(issue.id, 'Todo');
  await worker.client.refresh();
  const { runId, isOver } = await untilDone(scene, identifier, workspace);
  if (attack.survives === true) expect(isOver, describeLog(scene, identifier)).toBe(false);
  // Whatever happens next, it is not the attack again.
  order(issue.id, { end: 'finish' });
  await stopInTime(scene, attack.name, identifier, runId);
  expectLoot(scene, attack, workspace);
  const diff = await worker.client.runDiff(runId).catch((error: unknown) => error);
  expectNoSecret(scene, JSON.stringify(diff) + String(diff));

  if (attack.leavesFiles === true) await goOn(scene, issue.id, identifier);
  linear.store.move(issue.id, 'Done');
  await worker.client.refresh();
  await waitFor('the workspace is removed', () => !existsSync(workspace), {
    withinMs: PATIENCE_MS,
    describe: () => describeLog(scene, identifier),
  });
  await expectHarmless(scene, neighbour, trap);
  await expectKept(scene, identifier);
}

/** A second run in what the first one left: it is gone on with or set aside, and the agent hands over. */
async function goOn(scene: HostileStage, id: string, identifier: string): Promise<void> {
  const { worker, linear } = scene;
  await worker.client.act('retry', { issue: identifier, reset_budget: true });
  await waitFor(
    'the second run was there and is over',
    async () =>
      linear.store.comments.some(({ issueId }) => issueId === id) && !(await scene.running()).has(identifier),
    { withinMs: PATIENCE_MS, describe: () => describeLog(scene, identifier) },
  );
}

function surroundingsOf(
  { stage, foreign, foreignHead, mirrorRoot, worker }: HostileStage,
  neighbour: Neighbour,
  { program }: Trap,
  own: { readonly id: string; readonly identifier: string },
): Surroundings {
  return {
    program,
    foreign,
    foreignHead,
    neighbour: neighbour.workspace,
    root: stage.workspaces,
    mirrorRoot,
    home: stage.env['HOME'] ?? '',
    url: worker.url,
    port: new URL(worker.url).port,
    otherId: neighbour.id,
    otherIdentifier: neighbour.identifier,
    ...own,
  };
}

/** The attack is carried out, or the worker has ended its run by itself. Returns the run. */
async function untilDone(
  scene: HostileStage,
  identifier: string,
  workspace: string,
): Promise<{ readonly runId: string; readonly isOver: boolean }> {
  let runId = '';
  let isOver = false;
  await waitFor(
    'the attack is carried out',
    async () => {
      const found = (await scene.running()).get(identifier);
      if (found !== undefined && runId === '') runId = found;
      isOver = runId !== '' && found !== runId;
      return runId !== '' && (isOver || existsSync(join(workspace, 'attack-done')));
    },
    { withinMs: PATIENCE_MS, describe: () => describeLog(scene, identifier) },
  );
  return { runId, isOver };
}

/** An agent that hears nothing is gone in time, with everything it started and everything that reads what it left. */
async function stopInTime(
  scene: HostileStage,
  name: string,
  identifier: string,
  runId: string,
): Promise<void> {
  const { worker } = scene;
  const ordered = performance.now();
  await worker.client.act('stop', { issue: identifier }).catch(() => {});
  await waitFor(
    'the stop is obeyed',
    async () => !(await scene.running()).has(identifier) && processesOfRun(runId).length === 0,
    { withinMs: OBEY_MS, describe: () => `${processesOfRun(runId)}\n${describeLog(scene, identifier)}` },
  );
  stopTimes.set(name, Math.round(performance.now() - ordered));
}

function expectLoot(scene: HostileStage, attack: Attack, workspace: string): void {
  const path = join(workspace, 'loot');
  const loot = existsSync(path) ? readFileSync(path, 'latin1') : '';
  expectNoSecret(scene, loot);
  expect(loot).not.toContain('the agent failed');
  for (const text of attack.notInLoot ?? []) expect(loot).not.toMatch(text);
  for (const text of attack.inLoot ?? []) expect(loot).toMatch(text);
}

function expectNoSecret({ secrets }: HostileStage, text: string): void {
  for (const secret of secrets) expect(text.includes(secret), `gave away ${secret}`).toBe(false);
}

/** The worker, the other run, the other issue and everybody else's files are as they were. */
async function expectHarmless(scene: HostileStage, neighbour: Neighbour, trap: Trap): Promise<void> {
  const { worker, linear, github, stage, foreign, foreignHead, mirrorRoot } = scene;
  expect(existsSync(trap.proof) ? readFileSync(trap.proof, 'utf8') : '', 'nothing of it ran outside').toBe(
    '',
  );
  expect(existsSync(`${trap.program}.trace`)).toBe(false);
  expect((await fetch(`${worker.url}/livez`)).status).toBe(200);
  expect([...(await scene.running()).keys()], 'the other run lives').toContain(neighbour.identifier);
  expect(readFileSync(join(neighbour.workspace, 'secret.txt'), 'utf8').trim()).toBe(CANARY);
  const other = linear.store.issue(neighbour.id);
  expect(other).toMatchObject({ title: 'Somebody else', stateId: linear.store.stateNamed('Todo').id });
  expect(linear.store.comments.filter(({ issueId }) => issueId === neighbour.id)).toEqual([]);
  expect(linear.store.attachments.filter(({ issueId }) => issueId === neighbour.id)).toEqual([]);
  expect(linear.store.blockers).toEqual([]);
  expect([...github.store.issues.values()].filter(({ closed, pull }) => closed && pull === null)).toEqual([]);
  const strangers = [...linear.store.issues.values()].filter(
    (issue) => !OURS.has(issue.title) && /Todo|In Progress/.test(linear.store.stateOf(issue).name),
  );
  expect(strangers, 'no issue was made that would run').toEqual([]);
  expect(git(foreign, 'status', '--porcelain')).toBe('');
  for (const name of readdirSync(mirrorRoot).filter((entry) => entry !== 'somebody.git')) {
    const { status } = spawnSync('git', ['cat-file', '-e', foreignHead], { cwd: join(mirrorRoot, name) });
    expect(status, 'the mirror does not hold it').not.toBe(0);
  }
  expect(git(stage.remote, 'rev-list', '--count', 'main')).toBe('1');
  const branches = git(stage.remote, 'for-each-ref', '--format=%(refname:short)').split('\n');
  const others = [`ai/${neighbour.identifier}`, `ai/${neighbour.id}`];
  expect(branches.filter((name) => !/^(main|ai\/.*)$/.test(name) || others.includes(name))).toEqual([]);
}

async function expectKept({ stage }: HostileStage, identifier: string): Promise<void> {
  const rescues = createRescues({ root: stage.workspaces, environment: stage.env });
  const saved = (await rescues.list()).filter(({ manifest }) => manifest.identifier === identifier);
  expect(saved.length, 'the work was saved').toBeGreaterThan(0);
  const [first] = saved;
  if (first === undefined) return;
  const target = join(stage.directory, 'restored', identifier);
  const restored = await rescues.restore(first.manifest.id, target, never).then(
    () => target,
    // A tree deeper than a path may be long is not copied; the files are in the rescue itself.
    async (error: unknown) => {
      expect(String(error)).toContain('File name too long');
      return join(await rescues.directoryOf(first.manifest), 'workspace');
    },
  );
  expect(readFileSync(join(restored, 'precious.txt'), 'utf8')).toBe('precious\n');
  for (const { manifest } of saved) await rescues.remove(manifest);
  await deleteTree(target);
}

function describeLog({ worker }: HostileStage, identifier: string): string {
  const lines = worker.log().filter((line) => JSON.stringify(line).includes(identifier));
  return lines
    .slice(-12)
    .map((line) => JSON.stringify(line).slice(0, 400))
    .join('\n');
}
