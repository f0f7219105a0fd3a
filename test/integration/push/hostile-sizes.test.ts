import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PUSH_LIMITS, type PushLimits } from '../../../src/workspaces/push/limits.ts';
import { type HostileFixture, openHostileFixture, REF } from './hostile-fixture.ts';

/** Pushes that are far larger than the work of a session, or only say so. */

async function open(limits: Partial<PushLimits> = {}): Promise<HostileFixture> {
  const fixture = await openHostileFixture({ pushLimits: { ...PUSH_LIMITS, ...limits } });
  onTestFinished(() => fixture.close());
  return fixture;
}

/** Puts a loose object under a name of its own, whatever it holds. */
function plant(fixture: HostileFixture, id: string, ...content: Buffer[]): void {
  const path = fixture.dotGit('objects', id.slice(0, 2), id.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, deflateSync(Buffer.concat(content)));
}

/** A commit on top of the work whose one file is this blob, which need not be there. */
function commitBlob(fixture: HostileFixture, blob: string): string {
  const { workspaceFixture, workspace } = fixture;
  const options = { cwd: workspace.path, env: workspaceFixture.environment, encoding: 'utf8' as const };
  const tree = execFileSync('git', ['mktree', '--missing'], {
    ...options,
    input: `100644 blob ${blob}\tbig\n`,
  });
  return workspaceFixture.git(workspace.path, 'commit-tree', tree.trim(), '-p', 'HEAD', '-m', 'big');
}

async function expectRefused(
  fixture: HostileFixture,
  commit: string,
  code: string,
  words: RegExp,
): Promise<void> {
  expect(await fixture.push({ commit })).toMatchObject({
    ok: false,
    code,
    message: expect.stringMatching(words),
  });
  const { code: exit, text } = await fixture.agentGit('push', 'origin', `+${commit}:${REF}`);
  expect(exit).not.toBe(0);
  expect(text).toMatch(/error|fatal|rejected/);
  expect(fixture.ownOnRemote()).toBeNull();
  fixture.expectUntouched();
}

describe('a bound', () => {
  test('of what a push brings compressed is kept, and the next push that fits goes through', async () => {
    const fixture = await open({ packBytes: 1024 * 1024 });
    writeFileSync(join(fixture.workspace.path, 'big.bin'), randomBytes(3 * 1024 * 1024));
    const small = fixture.head();
    fixture.workspaceFixture.git(fixture.workspace.path, 'add', 'big.bin');
    fixture.workspaceFixture.git(fixture.workspace.path, 'commit', '--quiet', '-m', 'big');
    await expectRefused(fixture, fixture.head(), 'too_large', /more than 1024 KiB, compressed/);
    expect(await fixture.push({ commit: small })).toMatchObject({ ok: true });
    expect(fixture.ownOnRemote()).toBe(small);
  });

  test('of what it brings not compressed is kept, also where a few bytes stand for all of it', async () => {
    const fixture = await open({ contentBytes: 10 * 1024 * 1024 });
    fixture.workspaceFixture.commit(fixture.workspace.path, { 'zeros.txt': '0'.repeat(11 * 1024 * 1024) });
    await expectRefused(fixture, fixture.head(), 'too_large', /11\d\d\d KiB of new content/);
  });

  test('of how many objects it brings is kept', async () => {
    const fixture = await open({ objects: 200 });
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`f${index}.txt`, `${index}\n`]),
    );
    fixture.workspaceFixture.commit(fixture.workspace.path, files);
    await expectRefused(fixture, fixture.head(), 'too_large', /more than 200 new objects/);
  });

  test('of how many files of objects lie in the workspace is kept, whether they are pushed or not', async () => {
    const fixture = await open({ files: 100 });
    for (let index = 0; index < 200; index += 1)
      plant(fixture, index.toString(16).padStart(2, '0').padEnd(40, 'a'), Buffer.from('junk'));
    await expectRefused(fixture, fixture.head(), 'too_large', /more than 100 files of objects/);
  });
});

describe('an object', () => {
  test('that says it has 5 GiB is refused before anything is unpacked', async () => {
    const fixture = await open();
    const id = 'a'.repeat(40);
    plant(fixture, id, Buffer.from(`blob ${5 * 1024 ** 3}\0`), Buffer.from('not much'));
    await expectRefused(fixture, commitBlob(fixture, id), 'too_large', /5 GiB of new content/);
  });

  test('that says it is small and unpacks to 1 GiB costs the worker no memory', async () => {
    const fixture = await open();
    const id = 'b'.repeat(40);
    const path = fixture.dotGit('objects', 'bb', 'b'.repeat(38));
    mkdirSync(dirname(path), { recursive: true });
    const make = `const { createDeflate } = require('node:zlib'); const z = createDeflate(); z.pipe(process.stdout);
      z.write('blob 10\\0'); let left = 1024; const more = () => { while (left-- > 0) if (!z.write(Buffer.alloc(1 << 20)))
      return z.once('drain', more); z.end(); }; more();`;
    writeFileSync(path, execFileSync(process.execPath, ['-e', make], { maxBuffer: 64 * 1024 * 1024 }));
    expect(statSync(path).size).toBeLessThan(4 * 1024 * 1024);
    const before = process.memoryUsage.rss();
    await expectRefused(fixture, commitBlob(fixture, id), 'objects_refused', /./);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 * 1024);
  });

  test('whose content is another than its name says is refused', async () => {
    const fixture = await open();
    const id = 'c'.repeat(40);
    plant(fixture, id, Buffer.from('blob 5\0evil\n'));
    await expectRefused(fixture, commitBlob(fixture, id), 'objects_refused', /./);
  });
});

describe('thousands of refs', () => {
  test('in the workspace do not keep its own branch from being pushed, and none of them goes along', async () => {
    const fixture = await open();
    const tip = fixture.head();
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `${tip} refs/heads/many/${String(index).padStart(6, '0')}\n`,
    );
    appendFileSync(fixture.dotGit('packed-refs'), lines.join(''));
    expect(await fixture.push()).toMatchObject({ ok: true });
    expect(fixture.ownOnRemote()).toBe(tip);
    fixture.expectUntouched();
  });

  test('in one push are refused', async () => {
    const fixture = await open();
    const refs = Array.from({ length: 3_000 }, (_, index) => `HEAD:refs/heads/many/${index}`);
    const { code, text } = await fixture.agentGit('push', 'origin', 'HEAD', ...refs);
    expect(code).not.toBe(0);
    expect(text).toContain('Only the branch of this issue can be pushed');
    expect(fixture.ownOnRemote()).toBeNull();
    fixture.expectUntouched();
  });
});

describe('alternates', () => {
  const lists: readonly [string, (fixture: HostileFixture) => void][] = [
    [
      'that name themselves',
      (fixture) =>
        appendFileSync(fixture.dotGit('objects', 'info', 'alternates'), `${fixture.dotGit('objects')}\n`),
    ],
    [
      'that are thousands',
      (fixture) =>
        appendFileSync(
          fixture.dotGit('objects', 'info', 'alternates'),
          Array.from({ length: 5_000 }, (_, index) => `/nowhere/${index}\n`).join(''),
        ),
    ],
    [
      'by http',
      (fixture) =>
        writeFileSync(fixture.dotGit('objects', 'info', 'http-alternates'), 'http://127.0.0.1:9/objects\n'),
    ],
    [
      'that never end',
      (fixture) => {
        rmSync(fixture.dotGit('objects', 'info', 'alternates'));
        symlinkSync('/dev/zero', fixture.dotGit('objects', 'info', 'alternates'));
      },
    ],
    [
      'that are a pipe',
      (fixture) => {
        rmSync(fixture.dotGit('objects', 'info', 'alternates'));
        execFileSync('mkfifo', [fixture.dotGit('objects', 'info', 'alternates')]);
      },
    ],
  ];
  test.each(lists)('%s are not read: the push goes through', async (_, write) => {
    const fixture = await open();
    const commit = fixture.head();
    write(fixture);
    expect(await fixture.push({ commit })).toMatchObject({ ok: true, commit });
    expect(fixture.ownOnRemote()).toBe(commit);
    fixture.expectUntouched();
  });
});
