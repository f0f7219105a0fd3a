import { writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createIssueFolder } from '../../../src/trackers/local/client.ts';
import { parseIssueText, withComment } from '../../../src/trackers/local/file/document.ts';
import type { IssueContent } from '../../../src/trackers/local/schema.ts';
import { bundleProgram, FIELDS, issueText, runProgram, temporaryFolder, writeIssue } from './fixture.ts';

const AT = '2026-03-01T09:30:00.000Z';
async function readIssue(path: string): Promise<IssueContent> {
  const parsed = parseIssueText(await readFile(path, 'utf8'));
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

it('loses nothing when eight processes edit one issue', { timeout: 90_000 }, async () => {
  const program = await bundleProgram(new URL('./busy-writer.ts', import.meta.url), await temporaryFolder());
  const folder = await temporaryFolder();
  const path = await writeIssue(folder, 'T-1', issueText('Todo', 'extra: kept # note\n', '\nText\n'));
  const writers = Array.from({ length: 8 }, (_, index) => `writer-${index}`);
  await Promise.all(writers.map((name) => runProgram(program, [folder, 'T-1', name, '50'])));

  const { comments, description } = await readIssue(path);
  expect(comments).toHaveLength(400);
  for (const name of writers) {
    const own = comments.filter((comment) => comment.author === name).map((comment) => comment.body);
    expect(own).toEqual(Array.from({ length: 50 }, (_, round) => `${name} ${round}`));
  }
  expect(description).toBe('Text');
  expect(await readFile(path, 'utf8')).toContain('extra: kept # note\n');
  expect(await readdir(folder)).toEqual(['T-1.md']);
});

it('never overwrites what an editor saved meanwhile', async () => {
  const folder = await temporaryFolder();
  const path = await writeIssue(folder, 'T-1', issueText('Todo', '', '\nrevision 0\n'));
  const issues = createIssueFolder(folder);
  let saved = 0;
  const editor = async (): Promise<void> => {
    while (saved < 400) {
      const text = await readFile(path, 'utf8').catch(() => null);
      // Being replaced at this moment.
      if (text === null) continue;
      expect(text).toContain(`revision ${saved}\n`);
      saved += 1;
      await writeFile(`${path}~`, text.replace(/revision \d+/, `revision ${saved}`));
      await rename(`${path}~`, path);
    }
  };
  const comment = (body: string): Promise<void> =>
    issues.update('T-1', (text) => withComment(text, { author: 'a', at: AT, body }));
  const commenter = async (): Promise<void> => {
    for (let round = 0; saved < 400; round += 1) await comment(`${round}`);
  };
  await Promise.all([editor(), commenter()]);
  await comment('last');
  const { description, comments } = await readIssue(path);
  expect(description).toBe('revision 400');
  expect(comments.at(-1)?.body).toBe('last');
});

it('applies the edit to the newest text when the file changes under its hands', async () => {
  const folder = await temporaryFolder();
  const path = await writeIssue(folder, 'T-1');
  let calls = 0;
  await createIssueFolder(folder).update('T-1', (text) => {
    calls += 1;
    // Same length, same moment: only the content tells.
    if (calls === 1) writeFileSync(path, text.replace('An issue', 'An edit!'));
    return withComment(text, { author: 'a', at: AT, body: 'hello' });
  });
  expect(calls).toBe(2);
  expect(await readIssue(path)).toMatchObject({
    fields: { title: 'An edit!' },
    comments: [{ body: 'hello' }],
  });
});

it('gives each of many new issues a number of its own and uses none twice', async () => {
  const folder = join(await temporaryFolder(), 'made', 'on', 'demand');
  const creators = [createIssueFolder(folder), createIssueFolder(folder)];
  const create = async (index: number): Promise<string | undefined> =>
    creators[index % 2]?.create('T', { ...FIELDS, title: `New ${index}` }, '');
  const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => create(index)));
  expect([...ids].sort()).toEqual(Array.from({ length: 12 }, (_, index) => `T-${index + 1}`).sort());

  await rm(join(folder, 'T-12.md'));
  await writeIssue(folder, 't-20');
  await rm(join(folder, '.last-number-T'));
  expect(await creators[0]?.create('T', FIELDS, '')).toBe('T-21');
  await rm(join(folder, 'T-21.md'));
  expect(await creators[1]?.create('T', FIELDS, '')).toBe('T-22');
});
