import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiffReader, type ReadDiff } from '../../../src/workspaces/reading/diff.ts';
import { createFixture, type Fixture, issueOf, never, writeFiles } from '../workspaces/fixture.ts';

let fixture: Fixture;
let readDiff: ReadDiff;
let path: string;

beforeEach(async () => {
  fixture = createFixture();
  readDiff = createDiffReader(fixture.environment);
  path = (await fixture.prepareConfirmed(fixture.workspaces(), issueOf('ENG-1'))).path;
});
afterEach(() => fixture.dispose());

const read = (where = path) =>
  readDiff({ root: fixture.root, path: where, baseBranch: fixture.repo.defaultBranch, signal: never });

describe('the diff of a workspace', () => {
  it('shows what was committed, what was not, and what git does not know', async () => {
    fixture.commit(path, { 'committed.txt': 'one\ntwo\n' });
    writeFiles(path, { 'committed.txt': 'one\ntwo\nthree\n', 'new file.txt': 'x\n' });
    writeFileSync(join(path, 'picture.bin'), Buffer.from([0, 1, 2, 0]));
    fixture.git(path, 'add', 'picture.bin');
    const diff = await read();
    expect(diff.files).toEqual([
      { path: 'committed.txt', added: 3, removed: 0 },
      { path: 'picture.bin', added: null, removed: null },
    ]);
    expect(diff.untracked).toEqual(['new file.txt']);
    expect(diff.patch).toContain('+three\n');
    expect(diff.patch.endsWith('\n')).toBe(true);
    expect(diff.base).toMatch(/^[0-9a-f]{40}$/);
    expect(diff.head).not.toBe(diff.base);
    expect(diff.truncated).toBe(false);
  });

  it('tells the commits of the branch, newest first, whatever their words', async () => {
    expect((await read()).commits).toEqual([]);
    fixture.commit(path, { 'a.txt': 'a\n' });
    writeFiles(path, { 'a.txt': 'b\n' });
    fixture.git(path, 'commit', '-q', '-a', '-m', `<b>\u001b[31m${'long '.repeat(200)}`);
    const { commits, head } = await read();
    expect(commits).toHaveLength(2);
    expect(commits[0]).toMatchObject({ sha: head, subject: expect.stringMatching(/^<b>/) });
    expect(commits[0]?.subject.length).toBeLessThanOrEqual(300);
    expect(commits[0]?.at).toMatch(/^\d{4}-.*Z$/);
  });

  it('changes nothing and leaves nothing behind', async () => {
    fixture.commit(path, { 'a.txt': 'a\n' });
    const before = fixture.git(path, 'status', '--porcelain=v2', '--branch');
    await read();
    expect(fixture.git(path, 'status', '--porcelain=v2', '--branch')).toBe(before);
    expect(readdirSync(join(fixture.root, '.aiops', 'staging'))).toEqual([]);
  });

  it('is cut at eight megabytes', async () => {
    fixture.commit(path, { 'big.txt': 'a line of thirty characters..\n'.repeat(400_000) });
    const diff = await read();
    expect(diff.truncated).toBe(true);
    expect(Buffer.byteLength(diff.patch)).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(diff.patch.endsWith('\n')).toBe(true);
    expect(diff.files).toEqual([{ path: 'big.txt', added: 400_000, removed: 0 }]);
  });

  it('runs no program an agent put into its repository', async () => {
    const marker = join(fixture.base, 'ran');
    const program = `sh -c 'touch ${marker}; cat'`;
    fixture.git(path, 'config', 'diff.external', program);
    fixture.git(path, 'config', 'diff.evil.textconv', program);
    fixture.git(path, 'config', 'core.fsmonitor', program);
    fixture.git(path, 'config', 'filter.evil.clean', program);
    writeFiles(path, { '.gitattributes': '* diff=evil filter=evil\n' });
    writeFileSync(join(path, 'new.txt'), 'x\n');
    await read();
    expect(readdirSync(fixture.base)).not.toContain('ran');
  });

  it('never looks outside of the workspace root', async () => {
    const outside = join(fixture.base, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(fixture.root, 'link'));
    for (const where of [
      outside,
      join(fixture.root, 'link'),
      join(path, '..', '..', 'outside'),
      fixture.root,
      '/',
    ])
      await expect(read(where)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('shows where a link points, not what is there', async () => {
    symlinkSync('/etc/passwd', join(path, 'link'));
    fixture.git(path, 'add', 'link');
    const { patch } = await read();
    expect(patch).toContain('+/etc/passwd');
    expect(patch).not.toContain('root:');
  });

  it('says when the workspace is gone', async () => {
    rmSync(path, { recursive: true });
    await expect(read()).rejects.toMatchObject({ code: 'not_found', hint: expect.any(String) });
  });
});
