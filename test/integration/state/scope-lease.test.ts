import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TrackerConfig } from '../../../src/config/config.ts';
import { areApart, scopeUseOf } from '../../../src/config/roots/tracker-scope.ts';
import { parseForeignJson } from '../../../src/domain/nesting.ts';
import { acquireScopeLease, findScopeHolder } from '../../../src/store/locks/scope-lease.ts';
import { trackerKind } from '../../../src/trackers/registry.ts';
import { configOf } from '../../conformance/scenarios/workflow.ts';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'aiops-lease-')));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const tracker = (fields: Partial<TrackerConfig> = {}): TrackerConfig => ({
  ...configOf().tracker,
  kind: 'local',
  place: join(folder, 'issues'),
  ...fields,
  isFolder: (fields.kind ?? 'local') === 'local',
  hasOneAssignee: trackerKind(fields.kind ?? 'local')?.settings.hasOneAssignee === true,
});

async function lease(name: string, fields: Partial<TrackerConfig> = {}) {
  const use = await scopeUseOf(tracker(fields));
  return acquireScopeLease({ folder: join(folder, 'scopes'), use, workflowPath: `/${name}/WORKFLOW.md` });
}

describe('a worker on issues that another one works on', () => {
  it('is refused, with the name of the other workflow and what to do; after the other has ended it starts', async () => {
    const first = await lease('a');
    await expect(lease('b')).rejects.toMatchObject({
      code: 'setup_broken',
      message: expect.stringContaining('/a/WORKFLOW.md'),
      hint: expect.stringMatching(/kill \d+.*required_labels/s),
    });
    await first.release();
    await (await lease('b')).release();
  });

  it('is told of the other one when it only looks, and leaves nothing behind', async () => {
    const look = async (fields: Partial<TrackerConfig> = {}) => {
      const use = await scopeUseOf(tracker(fields));
      return findScopeHolder({ folder: join(folder, 'scopes'), use, workflowPath: '/b/WORKFLOW.md' });
    };
    expect(await look()).toBeNull();
    expect(await readdir(folder)).toEqual([]);
    const first = await lease('a');
    expect(await look()).toMatchObject({ workflowPath: '/a/WORKFLOW.md', holder: { pid: process.pid } });
    expect(await look({ activeStates: ['Another state'] })).toBeNull();
    await first.release();
    expect(await look()).toBeNull();
  });

  it('is refused also when it comes to the folder by a link', async () => {
    await mkdir(join(folder, 'issues'));
    await symlink(join(folder, 'issues'), join(folder, 'link'));
    const first = await lease('a');
    await expect(lease('b', { place: join(folder, 'link') })).rejects.toMatchObject({
      code: 'setup_broken',
    });
    await first.release();
  });

  it('takes over from one that was killed', async () => {
    const first = await lease('a');
    const holder = parseForeignJson(await readFile(first.path, 'utf8'));
    await writeFile(first.path, JSON.stringify({ ...Object(holder), startTime: 'of another process' }));
    await (await lease('b')).release();
  });

  it('of several that start at once only one does', async () => {
    const tries = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => lease(name)));
    const started = tries.filter((result) => result.status === 'fulfilled');
    expect(started).toHaveLength(1);
    for (const { value } of started) await value.release();
  });

  it('starts when what it works on has nothing in common with the other', async () => {
    const leases = [
      await lease('maker', { activeStates: ['Todo'] }),
      await lease('reviewer', { activeStates: ['In Review'] }),
    ];
    for (const held of leases) await held.release();
  });
});

describe('two workflows on one project', () => {
  it.each<[string, Partial<TrackerConfig>, Partial<TrackerConfig>, boolean]>([
    ['are the same', {}, {}, false],
    ['share a state', { activeStates: ['Todo', 'A'] }, { activeStates: ['todo', 'B'] }, false],
    ['share no state', { activeStates: ['A'] }, { activeStates: ['B'] }, true],
    ['ask for a label each', { requiredLabels: ['x'] }, { requiredLabels: ['y'] }, true],
    ['differ in a label of one of them', { requiredLabels: ['x'] }, { requiredLabels: [] }, false],
    ['have an assignee each', { assignee: 'ann' }, { assignee: 'Bob' }, true],
    ['may have the same assignee', { assignee: 'me' }, { assignee: 'bob' }, false],
    ['differ in the assignee of one', { assignee: 'ann' }, {}, false],
    [
      'have an assignee each where an issue may have both',
      { kind: 'github', assignee: 'ann' },
      { kind: 'github', assignee: 'bob' },
      false,
    ],
    ['have a team each', { kind: 'linear', part: 'A' }, { kind: 'linear', part: 'B' }, true],
    [
      'write the same repository in other ways',
      { kind: 'gitea', endpoint: 'https://Git.example/', place: 'Me/It' },
      { kind: 'gitea', endpoint: 'https://git.example', place: 'me/it' },
      false,
    ],
  ])('that %s', async (_name, a, b, apart) => {
    expect(areApart(await scopeUseOf(tracker(a)), await scopeUseOf(tracker(b)))).toBe(apart);
  });
});
