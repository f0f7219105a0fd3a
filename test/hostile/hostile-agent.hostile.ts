import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxWorks } from '../fakes/sandboxes.ts';
import { apiAttacks } from './attacks/api-attacks.ts';
import type { Attack, Surroundings } from './attacks/attack.ts';
import { fileAttacks, shapeAttacks } from './attacks/file-attacks.ts';
import { executionAttacks, readAttacks, theftAttacks } from './attacks/git-attacks.ts';
import { protocolAttacks } from './attacks/protocol-attacks.ts';
import { toolAttacks } from './attacks/tool-attacks.ts';
import { type HostileFixture, openHostileFixture, startNeighbour } from './fixture/hostile-fixture.ts';
import { type Neighbour, stopTimes, survive } from './fixture/survive.ts';

/** Attacks under way at the same moment; one more run is the neighbour's. */
const AT_ONCE = Number(process.env['HOSTILE_AT_ONCE'] ?? 3);
const TABLES: readonly (readonly [string, (surroundings: Surroundings) => readonly Attack[]])[] = [
  ['a file of the wrong kind', fileAttacks],
  ['a tree of the wrong shape', shapeAttacks],
  ['a setting that runs a program', executionAttacks],
  ['a way to another repository', theftAttacks],
  ['a look around', readAttacks],
  ['lines that lie', protocolAttacks],
  ["the worker's own port", apiAttacks],
  ["the worker's tools", toolAttacks],
];
/** An operator's stop is over after this, whatever an agent does. */
const PROMISED_STOP_MS = 5_000;
/** What the worker may hold in memory, whatever its agents write: they have tried with hundreds of megabytes of each kind. */
const MAX_WORKER_KIB = 1024 * 1024;
/** Only to count the rows and name them: their steps depend on where things are. */
const NOWHERE: Surroundings = {
  ...{ program: '', foreign: '', foreignHead: '', neighbour: '', root: '', mirrorRoot: '', home: '' },
  ...{ url: '', port: '', otherId: '', otherIdentifier: '', id: '', identifier: '' },
};

let scene: HostileFixture;
let neighbour: Neighbour;

beforeAll(async () => {
  scene = await openHostileFixture(AT_ONCE + 1);
  neighbour = await startNeighbour(scene);
});
afterAll(() => scene?.close());

describe.runIf(sandboxWorks('bubblewrap')).each(TABLES)('%s', (_, table) => {
  test.concurrent.each(table(NOWHERE).map(({ name }, index) => [name, index] as const))(
    '%s',
    async (_name, index) => {
      await survive(scene, neighbour, (surroundings) => {
        const attack = table(surroundings)[index];
        if (attack === undefined) throw new Error('no such attack');
        return attack;
      });
    },
  );
});

test('the corpus is large enough to mean something, and was carried out in real bubblewrap', () => {
  expect(TABLES.reduce((sum, [, table]) => sum + table(NOWHERE).length, 0)).toBeGreaterThanOrEqual(120);
  expect(sandboxWorks('bubblewrap'), 'bubblewrap is installed and allowed').toBe(true);
});

test("the worker's memory stayed bounded through all attacks", () => {
  const { samples, mostKib } = scene.memory();
  process.stdout.write(`the worker held ${Math.round(mostKib / 1024)} MiB at most, in ${samples} samples\n`);
  expect(samples).toBeGreaterThan(0);
  expect(mostKib).toBeLessThan(MAX_WORKER_KIB);
});

test('every stop was obeyed', () => {
  const slowest = [...stopTimes].sort(([, a], [, b]) => b - a);
  const late = slowest.filter(([, ms]) => ms > PROMISED_STOP_MS);
  process.stdout.write(
    `${stopTimes.size} stops, ${late.length} took more than 5 s; the slowest: ${JSON.stringify(slowest.slice(0, 5))}\n`,
  );
  expect(stopTimes.size).toBeGreaterThanOrEqual(120);
});
