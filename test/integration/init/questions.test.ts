import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CTRL_C, DOWN, ENTER, openInitFixture } from './fixture.ts';

test('a person who takes what is offered has a workflow and a first issue', async () => {
  const fixture = openInitFixture();
  fixture.makeRepository();
  writeFileSync(join(fixture.folder, 'Makefile'), 'test:\n\ttrue\n');
  const { code, stdout } = await fixture.answer(
    [],
    [
      ['Where are your issues?', ENTER],
      ['Which agent does the work?', ENTER],
      ['Which commands must a change pass?', ENTER],
      ['Write a first issue', ENTER],
    ],
  );
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('aiops worker') });
  const text = readFileSync(join(fixture.folder, 'WORKFLOW.md'), 'utf8');
  expect(text).toContain('kind: local');
  expect(text).toContain('default: mock');
  expect(text).toContain('- make test');
  expect(readdirSync(join(fixture.folder, 'issues'))).toContain('TASK-1.md');
});

test('a question that a flag answers is not asked', async () => {
  const fixture = openInitFixture();
  fixture.makeRepository();
  const flags = ['--tracker', 'local', '--agent', 'mock', '--no-verify', '--no-example'];
  expect(await fixture.answer(flags, [])).toMatchObject({ code: 0 });
  expect(readdirSync(join(fixture.folder, 'issues'))).toEqual([]);
});

test('an empty folder leads to the question for a repository', async () => {
  const fixture = openInitFixture();
  fixture.git('init', '--quiet', '--initial-branch=main', '../elsewhere');
  fixture.git('-C', '../elsewhere', 'commit', '--quiet', '--allow-empty', '--message=Begin');
  const flags = ['--tracker', 'local', '--agent', 'mock', '--no-verify', '--no-example'];
  const result = await fixture.answer(flags, [['This folder is no git repository', `../elsewhere${ENTER}`]]);
  expect(result).toMatchObject({ code: 0 });
  expect(readFileSync(join(fixture.folder, 'WORKFLOW.md'), 'utf8')).toContain('clone_url: ../elsewhere\n');
});

test.each(['Where are your issues?', 'Which agent does the work?', 'Which commands must a change pass?'])(
  'Ctrl-C at "%s" leaves nothing behind',
  async (last) => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    const all = [
      'Where are your issues?',
      'Which agent does the work?',
      'Which commands must a change pass?',
    ];
    const before = all.slice(0, all.indexOf(last)).map((question) => [question, ENTER] as const);
    const { code, stderr } = await fixture.answer([], [...before, [last, CTRL_C]]);
    expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringContaining('Cancelled') });
    expect(readdirSync(fixture.folder)).toEqual(['.git']);
  },
);

test('a file that is there is replaced only by somebody who chooses so', async () => {
  const fixture = openInitFixture();
  fixture.makeRepository();
  const path = join(fixture.folder, 'WORKFLOW.md');
  const flags = ['--tracker', 'local', '--agent', 'mock', '--no-verify', '--no-example'];
  await fixture.init(...flags);
  const mine = `${readFileSync(path, 'utf8')}Mine.\n`;
  writeFileSync(path, mine);
  expect(await fixture.answer(flags, [['is there already', ENTER]])).toMatchObject({ code: 0 });
  expect(readFileSync(path, 'utf8')).toBe(mine);
  expect(existsSync(`${path}.bak`)).toBe(false);
  expect(await fixture.answer(flags, [['is there already', `${DOWN}${ENTER}`]])).toMatchObject({ code: 0 });
  expect(readFileSync(path, 'utf8')).not.toContain('Mine.');
  expect(readFileSync(`${path}.bak`, 'utf8')).toBe(mine);
});
