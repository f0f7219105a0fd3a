import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AppError } from '../../../src/errors/app-error.ts';
import { createIssueFolder } from '../../../src/trackers/local/client.ts';
import { asidePath } from '../../../src/trackers/local/file/write-file.ts';
import {
  collectWarnings,
  FIELDS,
  issueText,
  never,
  openTracker,
  temporaryFolder,
  writeIssue,
} from './fixture.ts';

const ACTIVE = ['Todo', 'In Progress'];

it.each([
  ['a half-written file', '---\ntitle: An iss', 'no closing "---" line'],
  ['an empty file', '', 'the file is empty'],
  ['a file without a title', '---\nstate: Todo\n---\n', 'title is missing'],
  ['a file that is too large', issueText('Todo', '', 'x'.repeat(1024 * 1024)), 'larger than 1024 KiB'],
  ['a binary file', issueText('Todo', '', '\0\0'), 'not a text file'],
  [
    'a file in another encoding',
    Buffer.concat([Buffer.from(issueText('Todo')), Buffer.from([0xe9])]),
    'not UTF-8',
  ],
])('omits %s, complains once, and does not call it gone', async (_name, content, problem) => {
  const folder = await temporaryFolder();
  const { logger, warnings } = collectWarnings();
  const path = join(folder, 'T-1.md');
  await writeFile(path, content);
  await writeIssue(folder, 'T-2');
  const tracker = openTracker(folder, { logger });
  for (let poll = 0; poll < 3; poll += 1) {
    const issues = await tracker.fetchIssuesByStates(ACTIVE, never);
    expect(issues.map((issue) => issue.id)).toEqual(['T-2']);
  }
  const outcome = (await tracker.fetchIssuesByIds(['T-1'], never)).get('T-1');
  expect(outcome).toEqual({ kind: 'unknown', reason: expect.stringContaining(problem) });
  expect(warnings.map(({ fields }) => fields['issue_identifier'])).toEqual(['T-1']);

  await writeFile(path, '---\nstate: [\n---\n');
  await tracker.fetchIssuesByStates(ACTIVE, never);
  expect(warnings).toHaveLength(2);
  await writeFile(path, issueText('Todo'));
  expect(await tracker.fetchIssuesByStates(ACTIVE, never)).toHaveLength(2);
});

it('follows no link and opens no pipe', async () => {
  const folder = await temporaryFolder();
  const outside = await temporaryFolder();
  await symlink(await writeIssue(outside, 'SECRET'), join(folder, 'T-1.md'));
  await symlink('nowhere', join(folder, 'T-2.md'));
  execFileSync('sh', ['-c', 'mkfifo T-3.md'], { cwd: folder });
  const tracker = openTracker(folder);
  expect(await tracker.fetchIssuesByStates(ACTIVE, never)).toEqual([]);
  const outcomes = await tracker.fetchIssuesByIds(['T-1', 'T-2', 'T-3'], never);
  expect([...outcomes.values()].map((outcome) => outcome.kind)).toEqual(['unknown', 'unknown', 'unknown']);
});

it('reads only files of the folder itself whose names are identifiers', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'T-1.md'));
  await mkdir(join(folder, 'archive'));
  await writeIssue(join(folder, 'archive'), 'T-2');
  for (const name of [
    '.T-3.md',
    'my notes.md',
    'T-4.md~',
    'T-5.txt',
    '-T-6.md',
    '#T-7.md#',
    `${'x'.repeat(129)}.md`,
  ]) {
    await writeFile(join(folder, name), issueText('Todo'));
  }
  await writeIssue(folder, 'Fix.the_thing-8');
  const tracker = openTracker(folder);
  const issues = await tracker.fetchIssuesByStates(ACTIVE, never);
  expect(issues.map((issue) => issue.id)).toEqual(['Fix.the_thing-8']);
});

it('reaches nothing outside the folder by an id (R-15.5-b)', async () => {
  const root = await temporaryFolder();
  const folder = join(root, 'issues');
  await mkdir(folder);
  await writeIssue(root, 'outside');
  await writeIssue(folder, 'T-1');
  const tracker = openTracker(folder);
  const ids = [
    '../outside',
    `${root}/outside`,
    'T-1/../../outside',
    '..',
    '',
    '.',
    'T-1.md',
    'T-1\0',
    '%2e%2e/outside',
  ];
  const outcomes = await tracker.fetchIssuesByIds(ids, never);
  expect([...outcomes.values()].every((outcome) => outcome.kind === 'absent')).toBe(true);
  const [issue] = await tracker.fetchIssuesByStates(ACTIVE, never);
  if (issue === undefined) throw new Error('no issue');
  const result = await tracker.tools.execute(
    { name: 'issue_comment', arguments: { body: 'x' } },
    { issue: { ...issue, id: '../outside' }, signal: never },
  );
  expect(result).toMatchObject({ success: false, error: { code: 'issue_not_found' } });
});

it('trusts neither of two files whose names differ only in case', async () => {
  const folder = await temporaryFolder();
  await writeIssue(folder, 'T-1');
  await writeIssue(folder, 't-1');
  await writeIssue(folder, 'T-2', issueText('Todo', 'blocked_by: [T-1]\n'));
  const { logger, warnings } = collectWarnings();
  const tracker = openTracker(folder, { logger });
  const issues = await tracker.fetchIssuesByStates(ACTIVE, never);
  expect(issues.map((issue) => issue.id)).toEqual(['T-2']);
  expect(issues[0]?.undispatchableReason).toBe('blocked by T-1 (its file is not valid)');
  expect(warnings.map(({ fields }) => fields['problem'])).toEqual(
    expect.arrayContaining([
      'its name differs only in case from t-1',
      'its name differs only in case from T-1',
    ]),
  );
  expect((await tracker.fetchIssuesByIds(['T-1'], never)).get('T-1')?.kind).toBe('unknown');
  await rm(join(folder, 't-1.md'));
  expect(await tracker.fetchIssuesByStates(ACTIVE, never)).toHaveLength(2);
});

it('says how to make a missing folder, and that a file is none', async () => {
  const root = await temporaryFolder();
  const missing = await openTracker(join(root, 'issues'))
    .fetchIssuesByStates(ACTIVE, never)
    .catch((error: unknown) => error);
  expect(missing).toBeInstanceOf(AppError);
  expect(missing).toMatchObject({
    code: 'tracker_request',
    message: `The issue folder ${join(root, 'issues')} does not exist.`,
    hint: expect.stringContaining(`mkdir -p ${join(root, 'issues')}`),
  });
  await writeFile(join(root, 'file'), '');
  const file = await openTracker(join(root, 'file'))
    .fetchIssuesByIds(['T-1'], never)
    .catch((error: unknown) => error);
  expect(file).toMatchObject({
    code: 'tracker_request',
    message: expect.stringContaining('is not a folder'),
  });
});

it('does not take an issue for gone that an editor moves away while it saves', async () => {
  const folder = await temporaryFolder();
  const path = await writeIssue(folder, 'T-1');
  const tracker = openTracker(folder);
  await rename(path, `${path}~`);
  const outcome = tracker.fetchIssuesByIds(['T-1'], never);
  // The first look at the folder has happened once this later one is answered.
  await tracker.fetchIssuesByStates(ACTIVE, never);
  await rename(`${path}~`, path);
  expect((await outcome).get('T-1')?.kind).toBe('current');
});

it('finds and mends a file that a crash left aside in the middle of a write', async () => {
  const folder = await temporaryFolder();
  const path = await writeIssue(folder, 'T-1');
  await rename(path, asidePath(path));
  const tracker = openTracker(folder);
  const [issue] = await tracker.fetchIssuesByStates(ACTIVE, never);
  if (issue === undefined) throw new Error('no issue');
  expect(issue.id).toBe('T-1');
  const call = { name: 'issue_move', arguments: { state: 'Human Review' } };
  expect(await tracker.tools.execute(call, { issue, signal: never })).toMatchObject({ success: true });
  await rm(path);
  expect((await tracker.fetchIssuesByIds(['T-1'], never)).get('T-1')).toEqual({ kind: 'absent' });
});

it('says so when the folder cannot be written', async () => {
  const folder = await temporaryFolder();
  await writeIssue(folder, 'T-1');
  await mkdir(join(folder, '.T-1.md.tmp'));
  const issues = createIssueFolder(folder);
  const error = await issues.update('T-1', (text) => `${text}x`).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'tracker_request',
    message: expect.stringContaining('cannot be written'),
  });
  await writeFile(join(folder, 'file'), '');
  const inFile = createIssueFolder(join(folder, 'file', 'issues'));
  const fields = { ...FIELDS, title: 'New' };
  const refused = await inFile.create('T', fields, '').catch((reason: unknown) => reason);
  expect(refused).toMatchObject({ code: 'tracker_request', hint: expect.stringContaining('permissions') });
});

it('refuses a comment that would make the file too large, and keeps the file', async () => {
  const folder = await temporaryFolder();
  await writeIssue(folder, 'T-1', issueText('Todo', '', 'x'.repeat(1024 * 1024 - 1_000)));
  const tracker = openTracker(folder);
  const [issue] = await tracker.fetchIssuesByStates(ACTIVE, never);
  if (issue === undefined) throw new Error('no issue');
  const call = { name: 'issue_comment', arguments: { body: 'y'.repeat(2_000) } };
  expect(await tracker.tools.execute(call, { issue, signal: never })).toMatchObject({
    success: false,
    error: { code: 'invalid_issue_file', message: expect.stringContaining('1024 KiB') },
  });
  expect(await tracker.fetchIssuesByStates(ACTIVE, never)).toHaveLength(1);
});
