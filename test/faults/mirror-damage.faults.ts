import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Workspaces } from '../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf } from '../integration/workspaces/fixture.ts';
import { DAMAGES } from './mirror-damages.ts';

/** Each of its own fetch, so that the tip needs several packs of the mirror. */
const FILES = ['one.txt', 'two.txt', 'three.txt', 'four.txt', 'five.txt'];
const textOf = (name: string): string => `${name}\n`.repeat(400);

let fixture: Fixture;
let workspaces: Workspaces;
let mirror: string;
/** A workspace that borrows from the mirror and holds a commit and an edit that are nowhere else. */
let borrower: { readonly path: string; readonly head: string };

beforeEach(async () => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
  const early = await fixture.prepare(workspaces, issueOf('OLD-1'));
  mirror = early.git?.mirrorPath ?? '';
  for (const name of FILES) {
    fixture.pushToRemote('main', { [name]: textOf(name) }, 'main');
    fixture.git(mirror, 'fetch', '--quiet', 'origin');
  }
  const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  fixture.commit(path, { 'unpushed.txt': 'work\n' });
  writeFileSync(join(path, 'edited.txt'), 'an edit\n');
  borrower = { path, head: fixture.git(path, 'rev-parse', 'HEAD') };
  // A fresh worker, which remembers nothing of the mirror.
  workspaces = fixture.workspaces();
});
afterEach(() => fixture.dispose());

function expectWhole(path: string): void {
  for (const name of FILES) expect(readFileSync(join(path, name), 'utf8')).toBe(textOf(name));
  expect(fixture.git(path, 'status', '--porcelain')).toBe('');
  expect(fixture.git(path, 'fsck', '--no-dangling')).toBe('');
  expect(fixture.git(path, 'tag')).toBe('');
  expect(fixture.git(path, 'rev-list', '--count', 'HEAD')).toBe(String(FILES.length + 1));
}

function expectUnharmed(): void {
  const { path, head } = borrower;
  expect(fixture.git(path, 'rev-parse', 'HEAD')).toBe(head);
  expect(readFileSync(join(path, 'edited.txt'), 'utf8')).toBe('an edit\n');
  expect(fixture.git(path, 'status', '--porcelain')).toBe('?? edited.txt');
  expect(fixture.git(path, 'fsck', '--no-dangling')).toBe('');
  expect(fixture.git(path, 'rev-list', '--count', 'HEAD')).toBe(String(FILES.length + 2));
}

function rescues(): string[] {
  const folder = join(fixture.root, '.aiops/rescue');
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe('a mirror with', () => {
  test.each(DAMAGES)('$name heals, and a new workspace is whole', async ({ inflict }) => {
    inflict(mirror, fixture);
    const made = await fixture.prepare(workspaces, issueOf('NEW-1'));
    expect(made.createdNow).toBe(true);
    expectWhole(made.path);
    expect(await fixture.prepare(workspaces, issueOf('ENG-1'))).toMatchObject({ createdNow: false });
    expectUnharmed();
    expect(fixture.git(mirror, 'fsck', '--no-dangling')).toBe('');
    expect(rescues()).toEqual([]);
  });

  test.each(DAMAGES)('$name heals when a workspace is gone on with', async ({ inflict }) => {
    inflict(mirror, fixture);
    const again = await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(again).toMatchObject({ createdNow: false, path: borrower.path });
    expectUnharmed();
    expect(rescues()).toEqual([]);
  });
});
