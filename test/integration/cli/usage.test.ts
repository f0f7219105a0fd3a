import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAllCommands } from '../../../src/cli/commands.ts';
import { candidatesFor } from '../../../src/cli/completion/candidates.ts';
import { SCRIPTS } from '../../../src/cli/completion/scripts.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { cliReferencePage } from '../../../src/cli/reference-page.ts';
import { ERROR_CODES } from '../../../src/errors/codes.ts';
import { EXIT } from '../../../src/errors/exit-codes.ts';
import { runInProcess } from '../../fakes/in-process-cli.ts';
import { SILENT_IO } from './silent-io.ts';

async function wholeProgram(): Promise<Command> {
  return createProgram(await loadAllCommands(), [], SILENT_IO, () => {});
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

function cli(...args: readonly string[]) {
  return runInProcess(args, { cwd: tmpdir(), environment: {} });
}

describe('help', () => {
  it('lists every command, and the short way to the version', async () => {
    const { out } = await cli('--help');
    for (const name of ['explain', 'workers', 'completion', 'runs', 'open'])
      expect(out).toMatch(`\n  ${name}`);
    expect(await cli('-V')).toEqual(await cli('--version'));
    expect((await cli('-V')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a wrong command line', () => {
  it.each([
    [['wroker'], '(Did you mean worker?)', 'aiops --help'],
    [['issue', 'nwe', 'x'], '(Did you mean new?)', 'aiops issue --help'],
    [['issue', 'new'], "missing required argument 'title'", 'aiops issue new --help'],
    [['worker', '--log-levle', 'x'], '(Did you mean --log-level?)', 'aiops worker --help'],
    [['worker', '--log-level', 'debgu'], 'Did you mean debug?', 'aiops worker --help'],
    [['runs', '--outcome', 'failde'], 'Did you mean failed?', 'aiops runs list --help'],
    [['completion', 'bsh'], 'Did you mean bash?', 'aiops completion --help'],
    [['-w', 'x.md', 'runs', 'show'], "missing required argument 'run'", 'aiops runs show --help'],
    [['status', '--interval', '0'], 'give seconds, from 0.2', 'aiops status --help'],
    [['runs', '--since', 'yesterday'], 'give an age such as 2h', 'aiops runs list --help'],
  ])('%j says what was meant and where to read on', async (args, hint, help) => {
    const { code, out, err } = await cli(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^aiops: [^\n]+\n$/);
    expect(err).toContain(hint);
    expect(err).toContain(`\`${help}\``);
  });

  it('names an interval without anything to watch', async () => {
    expect(await cli('status', '--interval', '5')).toMatchObject({ code: 2, out: '' });
  });
});

describe('docs/cli.md', () => {
  it('is what the commands say; `npm run docs:config` writes it', async () => {
    const page = await cliReferencePage();
    for (const leaf of leavesOf(await wholeProgram()))
      expect(page).toContain(`## \`${['aiops', ...pathOf(leaf)].join(' ')}\`\n`);
    const written = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
    expect(written === page, 'docs/cli.md is out of date').toBe(true);
  });

  it('has every exit code that an error can have', async () => {
    const page = await cliReferencePage();
    const codes = new Set(Object.values(ERROR_CODES).map(({ exitCode }) => exitCode));
    for (const code of [...codes, ...Object.values(EXIT)]) expect(page).toContain(`\n| ${code} | `);
  });
});

describe('completion', () => {
  it.each([
    [['st'], ['status', 'stop']],
    [['issue', 'm'], ['move']],
    [['worker', '--log-level', 'd'], ['debug']],
    [['worker', '--log-level=w'], ['--log-level=warn']],
    [['worker', '--log-level', '=', 'e'], ['error']],
    [
      ['-w', 'x.md', 'work'],
      ['worker', 'workers'],
    ],
    [['runs', '--outcome', 'd'], ['delivered']],
    [['runs', '--is'], ['--issue']],
    [['runs', 'list', '--workf'], ['--workflow']],
    [['worker', '--once', '--on'], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['config', 'check', '--str'], ['--strict']],
  ])('%j goes on with %j', async (words, wanted) => {
    const found = candidatesFor(await wholeProgram(), words).candidates.map(({ word }) => word);
    expect(found).toEqual(wanted);
  });

  it('offers every command and every option of every command, and nothing that is none', async () => {
    const program = await wholeProgram();
    for (const leaf of leavesOf(program)) {
      const path = pathOf(leaf);
      const offered = candidatesFor(program, [...path, '--']).candidates.map(({ word }) => word);
      const known = leaf.options.flatMap(({ long, hidden }) => (hidden || !long ? [] : [long]));
      expect(offered, path.join(' ')).toEqual(expect.arrayContaining([...known, '--workflow']));
    }
  });

  it('answers each shell in its own way, with the issues of the folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'completion-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const here = { cwd: folder, environment: { HOME: folder, XDG_STATE_HOME: folder } };
    await runInProcess(['issue', 'new', 'Time: now', '--dir', 'issues'], here);
    const workflow = '---\ntracker: {kind: local}\nagent: {default: mock}\n---\nDo it.\n';
    writeFileSync(join(folder, 'WORKFLOW.md'), workflow);
    const ask = async (shell: string) =>
      (await runInProcess(['__complete', shell, '--', 'explain', 't'], here)).out;
    expect(await ask('bash')).toBe('TASK-1\n');
    expect(await ask('zsh')).toBe('TASK-1:Time: now\n');
    expect(await ask('fish')).toBe('TASK-1\tTime: now\n');
    expect(Object.values(SCRIPTS).every((script) => script.includes('aiops __complete'))).toBe(true);
  });
});
