import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClaimRootsOptions, claimRoots } from '../../../src/config/roots/root-records.ts';
import { findRootConflict, type RootUse } from '../../../src/config/roots/shared-roots.ts';
import { acquireFileLock } from '../../../src/process/locks/file-lock.ts';
import { tempFolders } from './temp-folder.ts';

const folder = tempFolders();

function use(workspaceRoot: string, changes: Partial<RootUse> = {}): RootUse {
  return {
    workflowPath: '/a/WORKFLOW.md',
    scope: 'local /issues',
    workspaceRoot,
    mirrorRoot: null,
    ...changes,
  };
}

describe('findRootConflict', () => {
  it.each([
    ['the same issues in the same root', use('/w'), use('/w'), 'worker_already_running'],
    ['a root inside another', use('/w/x'), use('/w'), 'shared_root'],
    ['a root around another', use('/w'), use('/w/x', { scope: 'other' }), 'shared_root'],
    ['a root in a mirror root', use('/m/x'), use('/w', { mirrorRoot: '/m' }), 'shared_root'],
    [
      'a mirror root in a root',
      use('/v', { mirrorRoot: '/w/m' }),
      use('/w', { scope: 'other' }),
      'shared_root',
    ],
    ['a root at the top', use('/'), use('/w'), 'shared_root'],
  ])('refuses %s', (_, own, other, code) => {
    expect(findRootConflict(own, other)).toMatchObject({ code });
    expect(findRootConflict(own, other)?.hint).toMatch(/workspace\.(mirror_)?root/);
    expect(findRootConflict(other, own)).toMatchObject({ code });
  });

  it.each([
    ['other issues in the same root', use('/w'), use('/w', { scope: 'linear x' })],
    ['the same issues in other roots', use('/w'), use('/w2')],
    ['shared mirrors', use('/w', { mirrorRoot: '/m' }), use('/v', { mirrorRoot: '/m' })],
  ])('allows %s', (_, own, other) => {
    expect(findRootConflict(own, other)).toBeNull();
  });
});

describe('claimRoots', () => {
  function options(root: string, pid: number, changes: Partial<ClaimRootsOptions> = {}): ClaimRootsOptions {
    return {
      use: use(root),
      self: { pid, startTime: 't' },
      now: pid,
      isAlive: async () => true,
      exclusively: (work) => work(),
      ...changes,
    };
  }

  it('refuses a second worker on the same issues and names the first', async () => {
    const root = await folder();
    const first = await claimRoots(options(root, 1));
    await expect(claimRoots(options(root, 2))).rejects.toMatchObject({
      code: 'worker_already_running',
      message: expect.stringContaining('pid 1'),
    });
    await first.release();
    await claimRoots(options(root, 3));
  });

  it('forgets workers that are gone', async () => {
    const root = await folder();
    await claimRoots(options(root, 1));
    await claimRoots(options(root, 2, { isAlive: async ({ pid }) => pid !== 1 }));
    expect(await readdir(join(root, '.aiops', 'workers'))).toEqual(['2.json']);
  });

  it('sees roots above, below and through links', async () => {
    const root = await folder();
    const inner = join(root, 'inner');
    await claimRoots(options(inner, 1));
    await expect(claimRoots(options(root, 2))).rejects.toMatchObject({ code: 'shared_root' });
    await expect(claimRoots(options(join(inner, 'deep'), 3))).rejects.toMatchObject({ code: 'shared_root' });
    const linked = join(await folder(), 'link');
    await symlink(inner, linked);
    await expect(claimRoots(options(linked, 4))).rejects.toMatchObject({ code: 'worker_already_running' });
  });

  it('leaves no record behind when it refuses', async () => {
    const root = await folder();
    await claimRoots(options(root, 1));
    await claimRoots(options(root, 2)).catch(() => {});
    expect(await readdir(join(root, '.aiops', 'workers'))).toEqual(['1.json']);
  });

  it('of two that start together, one stays', async () => {
    const root = await folder();
    const gate = join(await folder(), 'gate');
    const exclusively = async <T>(work: () => Promise<T>): Promise<T> => {
      const lock = await acquireFileLock(gate, { purpose: 'a test', waitMs: 10_000 });
      try {
        return await work();
      } finally {
        await lock.release();
      }
    };
    const claims = await Promise.allSettled(
      [1, 2, 3].map((pid) => claimRoots(options(root, pid, { exclusively }))),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('never lets two in, also when one took its time before it wrote, and nothing keeps them apart', async () => {
    const root = await folder();
    await claimRoots(options(root, 2));
    await expect(claimRoots(options(root, 1))).rejects.toMatchObject({
      code: 'worker_already_running',
      message: expect.stringContaining('pid 2, since 1970-01-01T00:00:00.002Z'),
    });
    const both = await folder();
    const claims = await Promise.allSettled([claimRoots(options(both, 1)), claimRoots(options(both, 2))]);
    expect(claims.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
  });

  it('does not believe an agent that writes records into its workspace, nor garbage', async () => {
    const root = await folder();
    const record = {
      version: 1,
      pid: 1,
      startTime: 't',
      since: 0,
      scope: 'x',
      mirrorRoot: null,
      workflowPath: '/x',
    };
    const place = async (name: string, text: string) => {
      await mkdir(join(root, name, '.aiops', 'workers'), { recursive: true });
      await writeFile(join(root, name, '.aiops', 'workers', '1.json'), text);
    };
    await mkdir(join(root, '.aiops', 'owners'), { recursive: true });
    await writeFile(join(root, '.aiops', 'owners', 'eng-1.json'), '{}');
    await place('ENG-1', JSON.stringify({ ...record, workspaceRoot: join(root, 'ENG-1') }));
    await place('other', JSON.stringify({ ...record, workspaceRoot: root }));
    await place('.', '{not json');
    const claim = await claimRoots(options(root, 9));
    await claim.release();
  });
});
