import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerRescueCommand } from '../../../src/cli/rescue/command.ts';
import { addWorkflowOption } from '../../../src/cli/workflow-option.ts';
import type { WorkspacesOptions } from '../../../src/workspaces/create-workspaces.ts';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

async function saveWork(
  identifier: string,
  commit: Readonly<Record<string, string>> = { 'committed.txt': identifier },
  options: Partial<WorkspacesOptions> = {},
): Promise<void> {
  const workspaces = fixture.workspaces(options);
  const { path } = await fixture.prepareConfirmed(workspaces, issueOf(identifier));
  if (Object.keys(commit).length > 0) fixture.commit(path, commit);
  writeFiles(path, { 'loose.txt': 'y' });
  await workspaces.remove(identifier, never);
}

/** Runs `aiops rescue …` and returns what it printed. */
async function rescue(...args: string[]): Promise<{ output: string; exitCode: number | null }> {
  let output = '';
  let exitCode: number | null = null;
  const print = (text: string): void => {
    output += text;
  };
  const program = addWorkflowOption(new Command('aiops'))
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: print });
  const io = {
    stdout: print,
    stderr: print,
    stdin: async () => '',
    environment: fixture.environment,
    cwd: fixture.base,
    interactive: false,
  };
  registerRescueCommand(program, io, (code) => {
    exitCode = code;
  });
  for (const command of program.commands.flatMap((parent) => parent.commands)) {
    command.exitOverride().configureOutput({ writeOut: print, writeErr: print });
  }
  await program.parseAsync(['rescue', ...args], { from: 'user' });
  return { output, exitCode };
}

const atRoot = (): string[] => ['--root', fixture.root];

describe('aiops rescue', () => {
  test('says so when nothing was rescued', async () => {
    expect(await rescue('list', ...atRoot())).toEqual({
      output: 'Nothing had to be rescued.\n',
      exitCode: 0,
    });
  });

  test('lists, shows and restores by the issue’s identifier', async () => {
    await saveWork('ENG-1');
    const list = (await rescue('list', ...atRoot())).output;
    expect(list).toMatch(
      /RESCUE +ISSUE +HOLDS +SIZE +WHY\n\S+-ENG-1-\S+ +ENG-1 +1 commit, 1 file +\S+ \S+ +removed\n/,
    );
    expect(JSON.parse((await rescue('list', '--json', ...atRoot())).output)).toMatchObject([
      { identifier: 'ENG-1' },
    ]);
    const show = (await rescue('show', 'ENG-1', ...atRoot())).output;
    expect(show).toContain('Branch     ai/ENG-1');
    expect(show).toContain('1 not on the remote');
    const restored = (await rescue('restore', 'ENG-1', ...atRoot())).output;
    const target = join(fixture.base, 'rescued-ENG-1');
    expect(restored).toBe(`Restored to ${target} on branch ai/ENG-1: 1 commit, 1 file.\n`);
    expect(readFileSync(join(target, 'loose.txt'), 'utf8')).toBe('y');
    await expect(rescue('restore', 'ENG-1', ...atRoot())).rejects.toMatchObject({ code: 'usage' });
    await rescue('restore', 'ENG-1', '--to', 'elsewhere', ...atRoot());
    expect(existsSync(join(fixture.base, 'elsewhere/committed.txt'))).toBe(true);
  });

  test('finds the root through the workflow file', async () => {
    await saveWork('ENG-1');
    const workflow = join(fixture.base, 'WORKFLOW.md');
    writeFileSync(
      workflow,
      `---\ntracker:\n  kind: local\nworkspace:\n  root: ${fixture.root}\n---\nDo it.\n`,
    );
    expect((await rescue('list')).output).toContain('ENG-1');
    expect((await rescue('list', '--workflow', workflow)).output).toContain('ENG-1');
  });

  test('prunes only when told to, by age, by size or by name', async () => {
    await saveWork('ENG-1', {});
    await saveWork('ENG-2');
    expect((await rescue('prune', ...atRoot())).output).toBe('Nothing to delete.\n');
    const dry = (await rescue('prune', '--max-size', '1', ...atRoot())).output;
    expect(dry).toContain('ENG-1');
    expect(dry).not.toContain('ENG-2');
    expect(dry).toContain('Add --yes');
    expect((await rescue('prune', '--max-size', '1', '--yes', ...atRoot())).output).toContain('Deleted');
    expect((await rescue('list', ...atRoot())).output).not.toContain('ENG-1');
    await rescue('prune', 'ENG-2', '--yes', ...atRoot());
    expect((await rescue('list', ...atRoot())).output).toBe('Nothing had to be rescued.\n');
  });

  test('drops no last copy of a commit by itself, and names the command that does', async () => {
    const tiny = { rescueRetention: { maxAgeMs: 1e12, maxBytes: 1 } };
    await saveWork('ENG-1', undefined, tiny);
    await saveWork('ENG-2', undefined, tiny);
    const { output } = await rescue(...atRoot());
    const [, command = ''] = /\n {2}aiops rescue (prune \S+-ENG-1-\S+ --yes)\n/.exec(output) ?? [];
    expect(output).toContain('One is beyond the limits and kept');
    const pruned = (await rescue('prune', '--max-size', '1', '--yes', ...atRoot())).output;
    expect(pruned).toContain(command);
    expect(pruned).toContain('Nothing to delete.');
    await rescue(...command.split(' '), ...atRoot());
    const left = (await rescue(...atRoot())).output;
    expect(left).not.toContain('ENG-1');
    expect(left).not.toContain('beyond the limits');
  });

  test.each([
    ['--older-than', 'soon'],
    ['--max-size', 'big'],
    ['--older-than', '-1d'],
  ])('refuses %s %s', async (flag, value) => {
    await expect(rescue('prune', flag, value, ...atRoot())).rejects.toBeInstanceOf(CommanderError);
  });

  test('teaches what to do about an unknown rescue', async () => {
    await expect(rescue('show', 'ENG-9', ...atRoot())).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('aiops rescue list'),
    });
  });
});
