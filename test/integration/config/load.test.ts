import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemsToError } from '../../../src/config/read/problem.ts';
import { chooseWorkflowPath } from '../../../src/config/read/workflow-path.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import { quietCpuMs } from '../../fakes/measured-time.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';
import { tempFolders } from './temp-folder.ts';

const folder = tempFolders();

async function failureOf(path: string) {
  const result = await loadWorkflow({ path, environment: {} });
  if (result.ok) throw new Error('expected the file not to load');
  return result.problems;
}

describe('loadWorkflow', () => {
  it('loads a file and resolves against its folder', async () => {
    const dir = await folder();
    await writeFile(
      join(dir, 'flow.md'),
      '\uFEFF---\r\ntracker: {kind: local}\r\nworkspace: {root: w}\r\n---\r\nHi\r\n',
    );
    const result = await loadWorkflow({ path: join(dir, 'flow.md'), environment: {} });
    expect(result).toMatchObject({ ok: true, source: 'file' });
    expect(result.ok && result.config).toMatchObject({
      promptTemplate: 'Hi',
      promptLine: 5,
      workspace: { root: join(dir, 'w') },
      tracker: { provider: { path: join(dir, 'issues') } },
    });
  });

  it('names a missing file (R-5.1-b, R-5.4-g)', async () => {
    const path = join(await folder(), 'nope.md');
    expect(await failureOf(path)).toMatchObject([{ code: 'missing_workflow_file', file: path, line: null }]);
  });

  it('refuses folders, pipes, binary, UTF-16, bad UTF-8 and huge files in words', async () => {
    const dir = await folder();
    const file = (name: string) => join(dir, name);
    await mkdir(file('folder'));
    execFileSync('mkfifo', [file('pipe')]);
    await writeFile(file('binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]));
    await writeFile(file('utf16'), Buffer.from('\uFEFFhello', 'utf16le'));
    await writeFile(file('latin1'), Buffer.from('---\nä: ö\n---\n', 'latin1'));
    await writeFile(file('huge'), Buffer.alloc(5 * 1024 * 1024, 'x'));
    const messages = await Promise.all(
      ['folder', 'pipe', 'binary', 'utf16', 'latin1', 'huge'].map(
        async (name) => (await failureOf(file(name)))[0]?.message,
      ),
    );
    expect(messages).toEqual([
      expect.stringContaining('not a regular file'),
      expect.stringContaining('not a regular file'),
      expect.stringContaining('UTF-8'),
      expect.stringContaining('UTF-16'),
      expect.stringContaining('UTF-8'),
      expect.stringContaining('4 MiB'),
    ]);
  });

  it('loads a large prompt in a second', async () => {
    const path = join(await folder(), 'W.md');
    await writeFile(path, `---\ntracker: {kind: local}\n---\n${'word '.repeat(400_000)}`);
    const spent = await quietCpuMs(async () =>
      expect((await loadWorkflow({ path, environment: {} })).ok).toBe(true),
    );
    expect(spent).toBeLessThan(1000);
  });

  it('gives one error that names every problem', async () => {
    const path = join(await folder(), 'W.md');
    await writeFile(path, '---\ntracker: {kind: nope}\nagent: {max_turns: 0}\n---\n');
    const error = problemsToError(await failureOf(path));
    expect(error).toBeInstanceOf(AppError);
    expect(error.code).toBe('unsupported_tracker_kind');
    expect(error.message).toContain(`${path}:2: tracker.kind`);
    expect(error.message).toContain(`${path}:3: agent.max_turns`);
    expect(error.exitCode).toBe(1);
  });
});

describe('chooseWorkflowPath', () => {
  it('takes the argument, then the variable, then ./WORKFLOW.md (R-5.1-a, R-17.1-a, R-17.1-b, R-18.1-a)', async () => {
    const dir = await folder();
    for (const name of ['WORKFLOW.md', 'a.md', 'b.md']) await writeFile(join(dir, name), '');
    expect(await chooseWorkflowPath('a.md', { AIOPS_WORKFLOW_PATH: 'b.md' }, dir)).toBe(join(dir, 'a.md'));
    expect(await chooseWorkflowPath(undefined, { AIOPS_WORKFLOW_PATH: 'b.md' }, dir)).toBe(join(dir, 'b.md'));
    expect(await chooseWorkflowPath(undefined, { AIOPS_WORKFLOW_PATH: ' ' }, dir)).toBe(
      join(dir, 'WORKFLOW.md'),
    );
  });

  it('takes a folder as the WORKFLOW.md in it', async () => {
    const dir = await folder();
    await mkdir(join(dir, 'team'));
    await writeFile(join(dir, 'team', 'WORKFLOW.md'), '');
    expect(await chooseWorkflowPath('team', {}, dir)).toBe(join(dir, 'team', 'WORKFLOW.md'));
  });

  it.each([
    ['an argument', 'x.md', {}, /x\.md/, /command line/],
    ['the variable', undefined, { AIOPS_WORKFLOW_PATH: 'y.md' }, /y\.md/, /AIOPS_WORKFLOW_PATH/],
    ['the folder', undefined, {}, /WORKFLOW\.md/, /AIOPS_WORKFLOW_PATH/],
  ])('names what is missing and the fix: %s', async (_, argument, environment, message, hint) => {
    const error = await chooseWorkflowPath(argument, environment, await folder()).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'missing_workflow_file', message: expect.stringMatching(message) });
    expect(error).toMatchObject({ hint: expect.stringMatching(hint) });
  });
});
