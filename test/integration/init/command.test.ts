import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadWorkflow } from '../../fakes/workflow-file.ts';
import { type InitFixture, openInitFixture } from './fixture.ts';

function workflowOf({ folder }: InitFixture, name = 'WORKFLOW.md'): string {
  return readFileSync(join(folder, name), 'utf8');
}

async function configOf(fixture: InitFixture) {
  const loaded = await loadWorkflow({
    path: join(fixture.folder, 'WORKFLOW.md'),
    environment: fixture.environment,
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

describe('aiops init without a terminal', () => {
  test('in a repository without a remote, makes that the repository and a folder the tracker', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    writeFileSync(join(fixture.folder, 'package.json'), '{"scripts":{"test":"node --test"}}');
    const { code, stdout } = await fixture.init('--agent', 'mock', '--example');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('checks passed') });
    const config = await configOf(fixture);
    expect(config.repo).toMatchObject({ cloneUrl: fixture.folder, defaultBranch: 'main' });
    expect(config.verify.commands).toEqual(['npm test']);
    expect(workflowOf(fixture)).toMatch(
      /^---\n# yaml-language-server: \$schema=https:\/\/\S+@[\d.]+\/schema\/workflow\.schema\.json\n/,
    );
    expect(readdirSync(join(fixture.folder, 'issues'))).toContain('TASK-1.md');
    expect(stdout).toMatch(/Next:\n {2}aiops worker\n$/);
  });

  test('prints JSON for a program, and nothing else', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    const init = async (...args: string[]) => {
      const { code, stdout, stderr } = await fixture.init('--agent', 'mock', '--json', ...args);
      return { code, stderr, report: JSON.parse(stdout) };
    };
    const path = join(fixture.folder, 'WORKFLOW.md');
    const planned = await init('--dry-run');
    expect(planned).toMatchObject({ code: 0, report: { path, done: 'dry_run', checks: null } });
    expect(existsSync(path)).toBe(false);
    const written = await init();
    const { text } = planned.report;
    expect(written.report).toMatchObject({ path, done: 'written', backup: null, text, checks: { ok: true } });
    expect(written.stderr).toContain(`Wrote ${path}`);
    expect(workflowOf(fixture)).toBe(text);
    expect((await init()).report).toMatchObject({ done: 'kept', text: null, checks: { ok: true } });
    writeFileSync(path, 'Do it.\n');
    const { done, backup } = (await init('--force')).report;
    expect([done, readFileSync(backup, 'utf8')]).toEqual(['written', 'Do it.\n']);
  });

  test('in a sub-folder, names the repository above it', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    const { code } = await fixture.init('--agent', 'mock', '--path', 'automation/');
    expect(code).toBe(0);
    expect(readFileSync(join(fixture.folder, 'automation', 'WORKFLOW.md'), 'utf8')).toContain(
      'clone_url: ..\n',
    );
    expect(existsSync(join(fixture.folder, 'automation', 'issues'))).toBe(true);
  });

  test('takes a remote without its password, and its default branch', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    fixture.git('remote', 'add', 'origin', 'https://me:hunter2-dummy@github.com/octo/app.git');
    fixture.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    fixture.environment['GH_TOKEN'] = 'ghp_dummy_not_a_token_0001';
    const { code, stdout, stderr } = await fixture.init(
      '--agent',
      'mock',
      '--offline',
      '--tracker',
      'github',
    );
    expect(code).toBe(0);
    const text = workflowOf(fixture);
    expect(text).toContain('clone_url: https://github.com/octo/app.git\n');
    expect(text).toContain('default_branch: trunk\n');
    expect(text).toContain('api_key: $GH_TOKEN\n');
    expect(stdout).toContain('The password in the address of the remote was left out');
    for (const printed of [text, stdout, stderr]) expect(printed).not.toMatch(/hunter2|ghp_dummy/);
  });

  test.each([
    [['--tracker', 'linear'], {}, '--project'],
    [['--tracker', 'github'], {}, '--project owner/name'],
    [['--tracker', 'gitea', '--project', 'a/b'], {}, '--endpoint'],
    [['--tracker', 'gitea', '--project', 'a/b', '--endpoint', 'nowhere'], {}, 'https://git.example.org'],
    [['--tracker', 'githib'], {}, 'Did you mean github?'],
    [['--agent', 'codx'], {}, 'Did you mean codex?'],
    [['--repo', 'nothing-there'], {}, 'there is nothing at that path'],
  ])('%j is a clear error that writes nothing', async (args, _environment, text) => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    const { code, stderr } = await fixture.init('--agent', 'mock', ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(text) });
    expect(existsSync(join(fixture.folder, 'WORKFLOW.md'))).toBe(false);
  });

  test('in an empty folder asks for --repo, and takes it', async () => {
    const fixture = openInitFixture();
    expect(await fixture.init('--yes', '--agent', 'mock')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--repo'),
    });
    mkdirSync(join(fixture.folder, 'plain'));
    expect(await fixture.init('--yes', '--agent', 'mock', '--repo', 'plain')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no git repository'),
    });
    fixture.git('init', '--quiet', '--bare', '--initial-branch=main', 'project.git');
    expect(await fixture.init('--yes', '--agent', 'mock', '--repo', 'project.git')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no commit yet'),
    });
    expect(readdirSync(fixture.folder)).toEqual(['plain', 'project.git']);
    fixture.git('init', '--quiet', '--initial-branch=main', 'seed');
    fixture.git('-C', 'seed', 'commit', '--quiet', '--allow-empty', '--message=Begin');
    fixture.git('-C', 'seed', 'push', '--quiet', '../project.git', 'main');
    expect(await fixture.init('--yes', '--agent', 'mock', '--repo', 'project.git')).toMatchObject({
      code: 0,
    });
    expect(workflowOf(fixture)).toContain('clone_url: ./project.git\n');
  });

  test('never takes the mock agent by itself, and prefers an agent that is signed in', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    expect(await fixture.init('--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--agent mock'),
    });
    fixture.addProgram('codex', 'exit 1');
    fixture.addProgram('claude', '[ "$1 $2" = "auth status" ] || echo 2.1.325');
    expect(await fixture.init('--yes', '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('default: claude\n'),
    });
    expect(existsSync(join(fixture.folder, 'WORKFLOW.md'))).toBe(false);
  });

  test('uses the token of gh for its checks, and names the variable that is to hold it', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    fixture.git('remote', 'add', 'origin', 'git@github.com:octo/app.git');
    fixture.addProgram('gh', '[ "$1 $2" = "auth token" ] && echo gho_dummy_not_a_token_0002');
    const flags = ['--agent', 'mock', '--tracker', 'github', '--offline', '--branch', 'main'];
    const { code, stdout, stderr } = await fixture.init('--yes', ...flags);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('export GITHUB_TOKEN="$(gh auth token)"');
    expect(workflowOf(fixture)).toContain('api_key: $GITHUB_TOKEN\n');
    for (const text of [stdout, workflowOf(fixture)]) expect(text).not.toContain('gho_dummy');
    const without = await fixture.init('--yes', '--no-gh-token', '--force', ...flags);
    expect(without).toMatchObject({ code: 1, stdout: expect.stringContaining('export GITHUB_TOKEN=…') });
  });

  test('an agent that does not answer is not waited for', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    fixture.addProgram('codex', 'exec sleep 600');
    const { stdout } = await fixture.init('--yes', '--dry-run');
    expect(stdout).toContain('default: codex-app-server\n');
  });
});

describe('aiops init again', () => {
  test('keeps the file, shows what would change and checks it', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    await fixture.init('--agent', 'mock');
    const before = `${workflowOf(fixture)}\nMine.\n`;
    writeFileSync(join(fixture.folder, 'WORKFLOW.md'), before);
    const again = await fixture.init('--agent', 'mock', '--verify', 'make test', '--yes');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('+    - make test') });
    expect(again.stdout).toContain('-Mine.');
    expect(again.stdout).toContain('checks passed');
    expect(workflowOf(fixture)).toBe(before);
    const unknown = await fixture.init('--yes');
    expect(unknown).toMatchObject({ code: 0, stdout: expect.stringContaining('--agent') });
    expect(workflowOf(fixture)).toBe(before);
  });

  test('with --force keeps every earlier file', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    writeFileSync(join(fixture.folder, 'WORKFLOW.md'), 'first');
    await fixture.init('--agent', 'mock', '--force');
    const second = workflowOf(fixture);
    await fixture.init('--agent', 'mock', '--verify', 'make test', '--force');
    expect(workflowOf(fixture, 'WORKFLOW.md.bak')).toBe('first');
    expect(workflowOf(fixture, 'WORKFLOW.md.bak.1')).toBe(second);
    expect(workflowOf(fixture)).toContain('make test');
    expect(readdirSync(fixture.folder).toSorted()).toEqual(
      ['.git', 'WORKFLOW.md', 'WORKFLOW.md.bak', 'WORKFLOW.md.bak.1', 'issues'].toSorted(),
    );
    await fixture.init('--agent', 'mock', '--verify', 'make test', '--force');
    expect(readdirSync(fixture.folder)).not.toContain('WORKFLOW.md.bak.2');
  });

  test('does not number issues anew, nor write the example twice', async () => {
    const fixture = openInitFixture();
    fixture.makeRepository();
    await fixture.init('--agent', 'mock', '--example');
    await fixture.init('--agent', 'mock', '--example', '--force');
    expect(readdirSync(join(fixture.folder, 'issues')).filter((name) => name.endsWith('.md'))).toEqual([
      'TASK-1.md',
    ]);
  });
});
