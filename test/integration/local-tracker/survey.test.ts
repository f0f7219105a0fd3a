import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issueText, never, openTracker, temporaryFolder, writeIssue } from './fixture.ts';

it('names every file that was meant as an issue and is none, with a way to mend it', async () => {
  const folder = await temporaryFolder();
  await writeIssue(folder, 'T-1');
  await writeFile(join(folder, 'my feature.md'), issueText('Todo'));
  await writeFile(join(folder, 'Übersicht.markdown'), issueText('Todo'));
  await writeFile(join(folder, 'T-2.MD'), issueText('Todo'));
  await writeFile(join(folder, 'half.md'), '---\ntitle: x');
  await writeFile(join(folder, 'twice.md'), issueText('Todo'));
  await writeFile(join(folder, 'Twice.md'), issueText('Todo'));
  await writeFile(join(folder, '.hidden.md'), 'x');
  await writeFile(join(folder, 'picture.png'), 'x');
  await mkdir(join(folder, 'sub.md'));
  await mkdir(join(folder, 'attachments'));
  const tracker = openTracker(folder);
  expect(await tracker.fetchIssuesByStates(['Todo'], never)).toHaveLength(1);
  const survey = await tracker.survey?.read(never);
  expect(Object.fromEntries((survey?.ignored ?? []).map(({ name, why }) => [name, why]))).toEqual({
    'my feature.md': expect.stringContaining('rename it to "my-feature.md"'),
    'Übersicht.markdown': expect.stringContaining('rename it to "Ubersicht.md"'),
    'T-2.MD': expect.stringContaining('does not end in .md; rename it to "T-2.md"'),
    'half.md': expect.stringContaining('no closing'),
    'twice.md': expect.stringContaining('differs only in case from Twice'),
    'Twice.md': expect.stringContaining('differs only in case from twice'),
    'sub.md': 'it is a folder, and issues are files',
  });
  await rm(join(folder, 'my feature.md'));
  await tracker.fetchIssuesByStates(['Todo'], never);
  const names = (await tracker.survey?.read(never))?.ignored.map(({ name }) => name);
  expect(names).not.toContain('my feature.md');
});

it('counts finished issues and knows the states that mean something', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'T-1.md'), issueText('Done'));
  await writeFile(join(folder, 'T-2.md'), issueText('Tood'));
  const survey = await openTracker(folder).survey?.read(never);
  expect(survey).toMatchObject({
    finished: 1,
    others: [{ id: 'T-2', identifier: 'T-2', state: 'Tood' }],
  });
  expect(survey?.knownStates).toEqual(expect.arrayContaining(['Todo', 'Backlog', 'Done']));
});
