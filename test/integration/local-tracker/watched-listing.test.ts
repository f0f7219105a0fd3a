import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FolderChanges } from '../../../src/trackers/local/folder/folder-changes.ts';
import { createIssueReader, type IssueReader } from '../../../src/trackers/local/folder/reader.ts';

let folder: string;
let changes: FolderChanges;
let reader: IssueReader;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watched-listing-'));
  changes = new FolderChanges();
  reader = createIssueReader(folder, undefined, changes);
  await save('TASK-1', 'Todo');
  await save('TASK-2', 'Todo');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Saved long ago, as far as its times tell: a file of the last seconds is read at every look. */
async function save(id: string, state: string): Promise<void> {
  const path = join(folder, `${id}.md`);
  await writeFile(path, `---\ntitle: A title\nstate: ${state}\n---\n`);
  await utimes(path, 1_700_000_000, 1_700_000_000);
}

async function statesNow(recheck: readonly string[] = []): Promise<Record<string, string>> {
  const entries = await (await reader.list(recheck)).loadAll();
  return Object.fromEntries(
    entries.map((entry) => [entry.id, entry.kind === 'issue' ? entry.content.fields.state : 'broken']),
  );
}

test('a folder that nobody watches is looked at whole each time', async () => {
  expect(await statesNow()).toEqual({ 'TASK-1': 'Todo', 'TASK-2': 'Todo' });
  await save('TASK-1', 'Done');
  await save('TASK-3', 'Todo');
  expect(await statesNow()).toEqual({ 'TASK-1': 'Done', 'TASK-2': 'Todo', 'TASK-3': 'Todo' });
});

describe('a watched folder', () => {
  beforeEach(async () => {
    changes.watched();
    await statesNow();
  });

  test('is not looked at where nothing was told', async () => {
    await save('TASK-1', 'Done');
    await save('TASK-3', 'Todo');
    expect(await statesNow()).toEqual({ 'TASK-1': 'Todo', 'TASK-2': 'Todo' });
  });

  test('shows what was told: a change, a new file, one that is gone, and a name no issue can have', async () => {
    await save('TASK-1', 'Done');
    await save('TASK-3', 'Todo');
    await rm(join(folder, 'TASK-2.md'));
    await writeFile(join(folder, 'not an issue.md'), '');
    for (const name of ['TASK-1.md', 'TASK-2.md', 'TASK-3.md', 'not an issue.md']) changes.note(name);
    expect(await statesNow()).toEqual({ 'TASK-1': 'Done', 'TASK-3': 'Todo' });
    expect((await reader.list()).strangers).toMatchObject([{ name: 'not an issue.md' }]);
  });

  test('shows an issue that is asked for as it is, told or not', async () => {
    await save('TASK-1', 'Done');
    await save('TASK-2', 'Done');
    expect(await statesNow(['TASK-1'])).toEqual({ 'TASK-1': 'Done', 'TASK-2': 'Todo' });
  });

  test('is looked at whole when something changed and nobody knows what', async () => {
    await save('TASK-2', 'Done');
    changes.note(null);
    expect(await statesNow()).toMatchObject({ 'TASK-2': 'Done' });
  });

  test('is looked at whole when another folder has taken its place', async () => {
    await rename(folder, `${folder}-old`);
    await mkdir(folder);
    await save('TASK-9', 'Todo');
    expect(await statesNow()).toEqual({ 'TASK-9': 'Todo' });
    await rm(`${folder}-old`, { recursive: true });
  });

  test('that is gone is an error, not an empty list', async () => {
    await rm(folder, { recursive: true });
    await expect(reader.list()).rejects.toThrow('does not exist');
  });

  test('shows a file that is aside while it is replaced', async () => {
    await rename(join(folder, 'TASK-1.md'), join(folder, '.TASK-1.md.aside'));
    changes.note('.TASK-1.md.aside');
    changes.note('TASK-1.md');
    expect(await statesNow()).toEqual({ 'TASK-1': 'Todo', 'TASK-2': 'Todo' });
  });

  test('keeps its order of numbers', async () => {
    await save('TASK-10', 'Todo');
    changes.note('TASK-10.md');
    expect((await reader.list()).ids).toEqual(['TASK-1', 'TASK-2', 'TASK-10']);
  });
});
