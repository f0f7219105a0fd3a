import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLI, runCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { openFixture } from './worker-fixture.ts';

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

it('completes in a real bash, issues included', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('SH-1');
  const bin = await programs(fixture, { aiops: `exec "${process.execPath}" "${CLI}" "$@"` });
  const type = (...words: readonly string[]): string[] => {
    const script = `. <(aiops completion bash); COMP_WORDS=(aiops ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _aiops_completion; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...fixture.env, PATH: `${bin}:${fixture.env['PATH']}` };
    const out = execFileSync('bash', ['--norc', '-c', script], {
      cwd: fixture.directory,
      env,
      encoding: 'utf8',
    });
    return out.trimEnd().split('\n');
  };
  expect(type('iss')).toEqual(['issue', 'issues']);
  expect(type('issue', 'move', 'sh')).toEqual(['SH-1']);
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
