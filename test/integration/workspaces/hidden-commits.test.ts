import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

/** Places in which a commit can be while HEAD is the remote's and the work tree clean; each names it or holds an edit. */
const PLACES: Readonly<Record<string, (path: string, commit: string) => void>> = {
  'a packed branch': (path, commit) => {
    fixture.git(path, 'branch', 'aside', commit);
    fixture.git(path, 'pack-refs', '--all');
  },
  'a packed tag behind megabytes of other refs': (path, commit) => {
    const head = fixture.git(path, 'rev-parse', 'HEAD');
    const name = (n: number): string => `refs/remotes/origin/${'ü'.repeat(60)}${String(n).padStart(6, '0')}`;
    const others = Array.from({ length: 30_000 }, (_, n) => `${head} ${name(n)}\n`);
    const text = `# pack-refs with: sorted \n${others.join('')}${commit} refs/tags/kept\n`;
    expect([text.length < 4 * 1024 ** 2, Buffer.byteLength(text) > 4 * 1024 ** 2]).toEqual([true, true]);
    fixture.git(path, 'pack-refs', '--all');
    const packed = join(path, '.git', 'packed-refs');
    const branches = fixture.git(path, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads');
    writeFileSync(packed, text.replace('\n', `\n${branches}\n`));
  },
  'a tag': (path, commit) => void fixture.git(path, 'tag', 'kept', commit),
  'an annotated tag': (path, commit) => void fixture.git(path, 'tag', '-a', '-m', 'kept', 'kept', commit),
  'a note': (path) => void fixture.git(path, 'notes', 'add', '-m', 'remember', 'HEAD'),
  'a ref of its own kind': (path, commit) => void fixture.git(path, 'update-ref', 'refs/own/thing', commit),
  'a branch whose name is no text': (path, commit) => {
    const folder = join(path, '.git', 'refs', 'heads');
    mkdirSync(folder, { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), `${commit}\n`);
  },
  'a symbolic branch': (path, commit) => {
    writeFileSync(join(path, '.git', 'refs', 'heads', 'symbolic'), 'ref: refs/own/target\n');
    fixture.git(path, 'update-ref', 'refs/own/target', commit);
  },
  'a stash': (path) => {
    writeFiles(path, { 'README.md': 'stashed\n' });
    fixture.git(path, 'stash');
  },
  'the index only': (path) => {
    const blob = fixture.git(path, 'hash-object', '-w', 'README.md');
    fixture.git(path, 'update-index', '--add', '--cacheinfo', `100644,${blob},staged-only.txt`);
  },
};

test.each(Object.keys(PLACES))('is saved before a removal: a commit or edit in %s', async (place) => {
  const workspaces = fixture.workspaces();
  const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  fixture.commit(path, { 'work.txt': 'work\n' });
  const commit = fixture.git(path, 'rev-parse', 'HEAD');
  fixture.git(path, 'reset', '--hard', 'HEAD~1');
  PLACES[place]?.(path, commit);
  const { removed, rescuedTo } = await workspaces.remove('ENG-1', never);
  expect(removed).toBe(true);
  expect(rescuedTo).not.toBeNull();
});

test('nothing is saved for an older commit of the base, on any number of branches', async () => {
  const workspaces = fixture.workspaces();
  const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  fixture.git(path, 'branch', 'aside');
  fixture.pushToRemote('main', { 'later.txt': 'later\n' }, 'main');
  expect(await workspaces.remove('ENG-1', never)).toEqual({ removed: true, rescuedTo: null });
});

test('every workspace gets what the user’s templates put into a new repository', async () => {
  const template = join(fixture.base, 'template');
  mkdirSync(join(template, 'hooks'), { recursive: true });
  writeFileSync(join(template, 'hooks', 'commit-msg'), '#!/bin/sh\necho checked >>"$1"\n', { mode: 0o755 });
  writeFileSync(join(fixture.base, '.gitconfig'), `[init]\n\ttemplateDir = ${template}\n`, { flag: 'a' });
  const workspaces = fixture.workspaces({
    environment: { ...fixture.environment, HOME: fixture.base },
  });
  for (const name of ['ENG-1', 'ENG-2', 'ENG-3']) {
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf(name));
    fixture.commit(path, { 'work.txt': 'work\n' });
    expect(fixture.git(path, 'log', '-1', '--format=%B')).toContain('checked');
    expect(fixture.git(path, 'fsck')).toBe('');
  }
});
