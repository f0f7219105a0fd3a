import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeTaskFiles } from '../../../src/workspaces/checkout/task-files.ts';
import { issueOf, writeFiles } from './fixture.ts';

let base: string;
let workspacePath: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'task-files-test-')));
  workspacePath = join(base, 'workspace');
  mkdirSync(workspacePath);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const issue = { ...issueOf('ENG-1', 'uuid-1'), url: 'https://tracker.example/ENG-1' };
const read = (name: string): string => readFileSync(join(workspacePath, '.aiops', name), 'utf8');

describe('task files', () => {
  test('hold the prompt and the task, readable by nobody else', async () => {
    await writeTaskFiles({ workspacePath, issue, prompt: 'Do the thing.' });
    expect(read('PROMPT.md')).toBe('Do the thing.');
    expect(read('TASK.md')).toBe(
      '# Task uuid-1\n\nIdentifier: ENG-1\nTitle: Title of ENG-1\nState: Todo\nURL: https://tracker.example/ENG-1\n\nDo it.\n',
    );
    for (const name of ['PROMPT.md', 'TASK.md']) {
      expect(statSync(join(workspacePath, '.aiops', name)).mode & 0o777).toBe(0o600);
    }
  });

  test('take the place of folders, which are kept beside them', async () => {
    writeFiles(workspacePath, { '.aiops/PROMPT.md/mine.txt': 'mine', '.aiops/TASK.md/x': 'x' });
    await writeTaskFiles({ workspacePath, issue, prompt: 'Do the thing.' });
    expect(read('PROMPT.md')).toBe('Do the thing.');
    const [aside = ''] = readdirSync(join(workspacePath, '.aiops')).filter((name) =>
      /^PROMPT.*aside$/.test(name),
    );
    expect(read(`${aside}/mine.txt`)).toBe('mine');
  });

  test('replace those of an earlier run and clear what it left, the plan only in analysis mode', async () => {
    const old = Object.fromEntries(
      ['PROMPT.md', 'FAILURE.md', 'BLOCKED.json', 'PLAN.md', 'mine.md'].map((name) => [
        `.aiops/${name}`,
        'old',
      ]),
    );
    writeFiles(workspacePath, old);
    await writeTaskFiles({ workspacePath, issue, prompt: 'new' });
    expect(readdirSync(join(workspacePath, '.aiops')).sort()).toEqual([
      'PLAN.md',
      'PROMPT.md',
      'TASK.md',
      'mine.md',
    ]);
    expect(read('PROMPT.md')).toBe('new');
    await writeTaskFiles({ workspacePath, issue, prompt: 'new', policyMode: 'analysis_only' });
    expect(readdirSync(join(workspacePath, '.aiops')).sort()).toEqual(['PROMPT.md', 'TASK.md', 'mine.md']);
  });

  test.each([
    ['a symbolic link', symlinkSync],
    ['a hard link', linkSync],
  ])('%s planted under their name keeps its target unchanged', async (_, plant) => {
    const outside = join(base, 'outside.txt');
    writeFileSync(outside, 'untouched');
    mkdirSync(join(workspacePath, '.aiops'));
    plant(outside, join(workspacePath, '.aiops/PROMPT.md'));
    plant(outside, join(workspacePath, '.aiops/FAILURE.md'));
    await writeTaskFiles({ workspacePath, issue, prompt: 'new' });
    expect(read('PROMPT.md')).toBe('new');
    expect(readFileSync(outside, 'utf8')).toBe('untouched');
  });

  test.each([
    ['a link', (path: string) => symlinkSync(join(base, 'outside'), path)],
    ['a file', (path: string) => writeFileSync(path, '')],
  ])('refuse a folder that is %s', async (_, plant) => {
    mkdirSync(join(base, 'outside'));
    plant(join(workspacePath, '.aiops'));
    await expect(writeTaskFiles({ workspacePath, issue, prompt: 'x' })).rejects.toMatchObject({
      code: 'workspace_unusable',
      hint: expect.stringContaining('.aiops'),
    });
    expect(readdirSync(join(base, 'outside'))).toEqual([]);
  });
});
