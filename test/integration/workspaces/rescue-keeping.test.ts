import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogFields, Logger } from '../../../src/observability/logger.ts';
import { createRescues, type Rescues } from '../../../src/workspaces/rescue/manage-rescues.ts';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
let rescues: Rescues;
beforeEach(() => {
  fixture = createFixture();
  rescues = createRescues({ root: fixture.root, environment: fixture.environment });
});
afterEach(() => fixture.dispose());

/** Nothing fits: whatever may be dropped is dropped. */
const TINY = { maxAgeMs: 1e12, maxBytes: 1 };

async function saved(): Promise<string[]> {
  return (await rescues.list()).map(({ manifest }) => manifest.identifier);
}

describe('the same state is rescued once', () => {
  test('when a workspace is damaged in the same way again and again', async () => {
    const workspaces = fixture.workspaces();
    for (let round = 0; round < 4; round += 1) {
      const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
      writeFiles(path, { 'work.txt': 'precious', '.aiops/PROMPT.md': `attempt ${round}` });
      rmSync(join(path, '.git/HEAD'));
    }
    await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    const [only, ...others] = await rescues.list();
    expect(others).toEqual([]);
    const directory = await rescues.directoryOf(only?.manifest ?? expect.fail());
    expect(readFileSync(join(directory, 'workspace/work.txt'), 'utf8')).toBe('precious');
  });

  test.each([
    ['another file', (path: string) => writeFiles(path, { 'more.txt': 'x' })],
    ['another content', (path: string) => writeFiles(path, { 'work.txt': 'PRECIOUS' })],
    ['another plan', (path: string) => writeFiles(path, { '.aiops/PLAN.md': 'a plan' })],
    ['something staged', (path: string) => void fixture.git(path, 'add', 'work.txt')],
    ['a commit', (path: string) => fixture.commit(path, { 'work.txt': 'precious' })],
  ])('but twice with %s', async (_, change) => {
    const workspaces = fixture.workspaces();
    for (const round of [1, 2]) {
      const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
      writeFiles(path, { 'work.txt': 'precious' });
      if (round === 2) change(path);
      rmSync(join(path, '.git/HEAD'));
    }
    await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    expect(await rescues.list()).toHaveLength(2);
  });

  test('but again when files of the earlier rescue were taken out of it', async () => {
    const workspaces = fixture.workspaces();
    for (const round of [1, 2]) {
      const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
      if (round === 2) {
        const [only] = await rescues.list();
        rmSync(join(await rescues.directoryOf(only?.manifest ?? expect.fail()), 'workspace/work.txt'));
      }
      writeFiles(path, { 'work.txt': 'precious' });
      rmSync(join(path, '.git/HEAD'));
    }
    await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    expect(await rescues.list()).toHaveLength(2);
  });
});

describe('the last copy of a commit', () => {
  async function removeWithCommit(id: string, logger?: Logger): Promise<string> {
    const workspaces = fixture.workspaces({
      rescueRetention: TINY,
      ...(logger === undefined ? {} : { logger }),
    });
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf(id));
    fixture.commit(path, { [`${id}.txt`]: id });
    const head = fixture.git(path, 'rev-parse', 'HEAD');
    await workspaces.remove(id, never);
    return head;
  }

  test('stays beyond the limit, with a warning that names the command to drop it', async () => {
    const told: LogFields[] = [];
    const logger = listeningLogger((message, fields) => {
      if (message.includes('last copy')) told.push(fields);
    });
    await removeWithCommit('ENG-1', logger);
    await removeWithCommit('ENG-2', logger);
    expect(await saved()).toEqual(['ENG-1', 'ENG-2']);
    const [kept, newest] = await rescues.list();
    expect([kept?.manifest.overLimit, newest?.manifest.overLimit]).toEqual([true, false]);
    expect(told).toMatchObject([{ to_drop: `aiops rescue prune ${kept?.manifest.id} --yes` }]);
  });

  test('may go when the remote has the commit', async () => {
    const head = await removeWithCommit('ENG-1');
    await rescues.restore('ENG-1', join(fixture.base, 'restored'), never);
    fixture.git(
      join(fixture.base, 'restored'),
      'push',
      '--quiet',
      fixture.remote,
      `${head}:refs/heads/saved`,
    );
    await removeWithCommit('ENG-2');
    expect(await saved()).toEqual(['ENG-2']);
  });

  test('may go when a newer rescue has the commit below one of its own', async () => {
    const head = await removeWithCommit('ENG-1');
    const workspaces = fixture.workspaces({ rescueRetention: TINY });
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-2'));
    await rescues.restore('ENG-1', join(fixture.base, 'restored'), never);
    fixture.git(path, 'fetch', '--quiet', join(fixture.base, 'restored'), head);
    fixture.git(path, 'checkout', '--quiet', '-B', 'ai/ENG-2', head);
    fixture.commit(path, { 'more.txt': 'x' });
    await workspaces.remove('ENG-2', never);
    expect(await saved()).toEqual(['ENG-2']);
  });

  test('is safe in a directory that was set aside whole, too', async () => {
    const workspaces = fixture.workspaces({ rescueRetention: TINY });
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    fixture.commit(path, { 'mine.txt': 'x' });
    rmSync(join(path, '.git/HEAD'));
    await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    for (const id of ['ENG-2', 'ENG-3']) {
      const other = await fixture.prepareConfirmed(workspaces, issueOf(id));
      writeFiles(other.path, { 'x.txt': id });
      await workspaces.remove(id, never);
    }
    expect(await saved()).toEqual(['ENG-1', 'ENG-3']);
  });

  test('survives the mirror: refs and objects of rescues move to its successor', async () => {
    const head = await removeWithCommit('ENG-1');
    const { git } = await fixture.prepareConfirmed(fixture.workspaces(), issueOf('OLD-1'));
    const mirror = git?.mirrorPath ?? '';
    writeFileSync(join(mirror, 'packed-refs'), 'rubbish\n');
    await fixture.prepare(fixture.workspaces(), issueOf('OLD-1'));
    expect(fixture.git(mirror, 'for-each-ref', 'refs/aiops')).toContain(head);
  });
});

test('what rescues take is what they take on disk, files with several names once', async () => {
  const workspaces = fixture.workspaces();
  for (const id of ['ENG-1', 'ENG-2']) {
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf(id));
    fixture.commit(path, { 'x.txt': id.repeat(5_000) });
    execFileSync('ln', ['x.txt', 'y.txt'], { cwd: path });
    rmSync(join(path, '.git/HEAD'));
    await fixture.prepareConfirmed(workspaces, issueOf(id));
    const again = await fixture.prepareConfirmed(workspaces, issueOf(id));
    fixture.commit(again.path, { 'z.txt': id });
    await workspaces.remove(id, never);
  }
  // Without the mirror the packs of all rescues are theirs alone.
  rmSync(fixture.mirrorRoot, { recursive: true });
  const folder = join(fixture.root, '.aiops/rescue');
  const du = execFileSync('du', ['-s', '-c', '-B1', ...readdirSync(folder)], {
    cwd: folder,
    encoding: 'utf8',
  });
  const total = Number.parseInt(du.trim().split('\n').at(-1) ?? '', 10);
  const found = await rescues.list();
  expect(found).toHaveLength(4);
  expect(found.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(total);
});

test('many removals at once, saving and dropping the same work, fail nowhere', async () => {
  const workers = ['a', 'b', 'c'].map((trackerScope) =>
    fixture.workspaces({ rescueRetention: TINY, scope: { trackerKind: 'local', trackerScope } }),
  );
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(
      workers.map(async (workspaces) => {
        const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
        writeFiles(path, { 'x.txt': 'the same each time' });
        const report = await workspaces.remove('ENG-1', never);
        expect(report.removed).toBe(true);
        expect(report.rescuedTo).not.toBeNull();
      }),
    );
  }
  const folder = join(fixture.root, '.aiops/rescue');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.endsWith('.tmp') || name.includes('workspace'))).toEqual([]);
});

test('what killed workers left among records, locks and rescues is cleared when it is old', async () => {
  const workspaces = fixture.workspaces();
  const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  writeFiles(path, { 'x.txt': 'x' });
  const { rescuedTo } = await workspaces.remove('ENG-1', never);
  await fixture.prepareConfirmed(workspaces, issueOf('ENG-2'));
  const own = join(fixture.root, '.aiops');
  const dead = {
    pid: 2 ** 22 + 1,
    host: 'nowhere',
    startTime: '1',
    purpose: 'x',
    since: 'x',
    nonce: '0123456789abcdef',
  };
  const litter = [
    'owners/eng-2.json.0123456789ab.tmp',
    'locks/eng-9.lock',
    'locks/eng-9.lock.0123456789abcdef.draft',
    join('rescue', (rescuedTo ?? '').split('/').at(-1) ?? '', 'manifest.json.0123456789ab.tmp'),
  ];
  const fresh = ['owners/eng-3.json.0123456789ab.tmp', 'locks/eng-8.lock.0123456789abcdef.draft'];
  mkdirSync(join(own, 'locks'), { recursive: true });
  for (const name of [...litter, ...fresh]) writeFileSync(join(own, name), `${JSON.stringify(dead)}\n`);
  const longAgo = new Date(Date.now() - 86_400_000);
  for (const name of litter) utimesSync(join(own, name), longAgo, longAgo);
  expect(await workspaces.list()).toHaveLength(1);
  expect(litter.filter((name) => existsSync(join(own, name)))).toEqual([]);
  expect(fresh.filter((name) => existsSync(join(own, name)))).toEqual(fresh);
  expect(existsSync(join(rescuedTo ?? '', 'manifest.json'))).toBe(true);
});

function listeningLogger(listen: (message: string, fields: LogFields) => void): Logger {
  const logger: Logger = {
    debug() {},
    info() {},
    warn: (message, fields) => listen(message, fields ?? {}),
    error() {},
    with: () => logger,
  };
  return logger;
}
