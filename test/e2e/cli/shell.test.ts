import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INSTALL } from '../../../src/cli/completion/scripts.ts';
import { hasTmux, openShell } from '../tui/tmux.ts';
import { CLI, runCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { openFixture } from './worker-fixture.ts';

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true'], { stdio: 'ignore' }).status === 0;
}

/** A folder for PATH with these programs. */
async function programs(fixture: Fixture, scripts: Readonly<Record<string, string>>): Promise<string> {
  const bin = join(fixture.directory, 'bin');
  await mkdir(bin, { recursive: true });
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return bin;
}

describe('completion, set up as the documentation says', () => {
  async function openShells() {
    const fixture = await openFixture();
    await fixture.writeIssue('SH-1', { title: "Fix: the 'door' & $HOME" });
    const bin = await programs(fixture, { aiops: `exec "${process.execPath}" "${CLI}" "$@"` });
    const env = { ...fixture.env, PATH: `${bin}:${fixture.env['PATH']}` };
    const run = (shell: string, ...args: readonly string[]): string[] =>
      execFileSync(shell, args, { cwd: fixture.directory, env, encoding: 'utf8' }).trimEnd().split('\n');
    await mkdir(join(fixture.env['HOME'] ?? '', '.config/fish/completions'), { recursive: true });
    for (const line of Object.values(INSTALL)) run('sh', '-c', line);
    return { fixture: { ...fixture, env }, run };
  }

  it('works in bash, issues included', async () => {
    const { run } = await openShells();
    const type = (...words: readonly string[]): string[] => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      const script = `. ~/.bashrc; COMP_WORDS=(aiops ${typed}); COMP_CWORD=${words.length}; _aiops_completion; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return run('bash', '--norc', '-c', script);
    };
    expect(type('iss').toSorted()).toEqual(['issue', 'issues']);
    expect(type('issue', 'move', 'sh')).toEqual(['SH-1']);
    expect(type('worker', '--log-level', 'd')).toEqual(['debug']);
  });

  it.skipIf(!has('fish'))('works in fish, issues included', async () => {
    const { run } = await openShells();
    const type = (line: string): string[] => run('fish', '-c', `complete -C '${line}'`);
    expect(type('aiops iss').map((line) => line.split('\t')[0])).toEqual(['issue', 'issues']);
    expect(type('aiops issue move sh')).toEqual(["SH-1\tFix: the 'door' & $HOME"]);
    expect(type('aiops worker --log-level d')).toEqual([expect.stringMatching(/^debug\t/)]);
    expect(type('aiops config check WORK')).toEqual([expect.stringMatching(/^WORKFLOW\.md/)]);
  });

  it.skipIf(!has('zsh') || !hasTmux)('works in zsh, issues included', async () => {
    const { fixture } = await openShells();
    const terminal = openShell(fixture, 'exec zsh', { env: { PS1: '> ' } });
    await terminal.until(/^\S*[>#%$] *$/m);
    terminal.type('aiops iss');
    terminal.press('Tab', 'Tab');
    const listed = await terminal.until(/issues +-- list the issues/);
    expect(listed).toMatch(/issue +-- work with a folder/);
    expect(listed).not.toContain('command not found');
    terminal.press('C-u');
    terminal.type('aiops issue move sh');
    terminal.press('Tab');
    await terminal.until('aiops issue move SH-1');
    terminal.press('C-u');
    terminal.type('aiops worker --log-level d');
    terminal.press('Tab');
    await terminal.until('aiops worker --log-level debug');
  });
});

it('edits an issue in the editor of the person, and loses nothing of what they or others wrote', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('SH-2', { title: 'Old title' });
  const bin = await programs(fixture, {
    retitle: `sed -i 's/Old title/New title/' "$2" && test "$1" = --wait`,
    spoil: 'echo no front matter > "$1"',
    slow: `sed -i 's/New title/Mine/' "$1"; sed -i 's/New title/Theirs/' "${fixture.issuePath('SH-2')}"`,
    refuse: 'exit 3',
  });
  const edit = (editor: string) =>
    runCli(['issue', 'edit', 'sh-2'], {
      cwd: fixture.directory,
      env: { ...fixture.env, PATH: `${bin}:${fixture.env['PATH']}`, EDITOR: editor },
    });
  expect(await edit('retitle --wait')).toMatchObject({ code: 0, stdout: 'SH-2: saved\n' });
  expect(await fixture.issueText('SH-2')).toContain('title: New title');
  expect(await edit('true')).toMatchObject({ code: 0, stdout: 'SH-2: left as it was\n' });
  expect(await readdir(join(fixture.directory, 'tmp'))).toEqual([]);

  const spoilt = await edit('spoil');
  expect([spoilt.code, spoilt.stdout]).toEqual([1, '']);
  const kept = /kept in (\S+\.md)/.exec(spoilt.stderr)?.[1] ?? '';
  expect(await readFile(kept, 'utf8')).toBe('no front matter\n');
  expect(await fixture.issueText('SH-2')).toContain('title: New title');

  const late = await edit('slow');
  expect(late.code).toBe(1);
  expect(late.stderr).toMatch(/somebody wrote to SH-2 while you edited it/);
  expect(await fixture.issueText('SH-2')).toContain('title: Theirs');
  expect(await readFile(/kept in (\S+\.md)/.exec(late.stderr)?.[1] ?? '', 'utf8')).toContain('title: Mine');

  expect(await edit('refuse')).toMatchObject({ code: 2, stdout: '' });
  expect((await edit('no-such-editor')).stderr).toMatch(
    /no-such-editor cannot be started.*Set \$VISUAL or \$EDITOR/,
  );
  expect((await edit('')).stderr).toContain('There is no terminal here');
});
