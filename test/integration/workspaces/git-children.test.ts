import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunEvidence } from '../../../src/domain/run-outcome.ts';
import { relaySettings, renderRelayConfig } from '../../../src/workspaces/relay/relay-config.ts';
import type { Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
let log: string;
let environment: Record<string, string>;
beforeEach(() => {
  fixture = createFixture();
  log = join(fixture.base, 'git-children');
  const folder = join(fixture.base, 'bin');
  mkdirSync(folder);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nprintf '%s\\n' "$1" >>'${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  environment = { ...fixture.environment, PATH: `${folder}:${fixture.environment['PATH']}` };
});
afterEach(() => fixture.dispose());

/** The commands of git that `work` started. */
async function gitOf(work: () => Promise<unknown>): Promise<string[]> {
  writeFileSync(log, '');
  await work();
  return readFileSync(log, 'utf8').split('\n').filter(Boolean);
}

/** Some things are asked once in a worker's life. */
async function warmUp(workspaces: Workspaces): Promise<void> {
  await workspaces.evidence(await fixture.prepareConfirmed(workspaces, issueOf('WARM-1')));
}

// Starting a process is most of what a look at a workspace costs.
test('a run starts no more git than it needs', async () => {
  const workspaces = fixture.workspaces({ environment });
  await fixture.prepareConfirmed(workspaces, issueOf('WARM-1'));
  const again = () => fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));

  // Whether the checkout is whole is looked at only when git said something unusual, and what the mirror has is known.
  expect(await gitOf(again)).toEqual(['fetch', 'checkout']);
  const workspace = await again();
  expect(await gitOf(again)).toEqual(['fetch', 'rev-list']);

  const look = () => workspaces.evidence(workspace);
  expect(await gitOf(look)).toEqual(['status']);
  fixture.commit(workspace.path, { 'new.txt': 'new\n' });
  writeFiles(workspace.path, { 'README.md': 'edited\n' });
  expect(await gitOf(look)).toEqual(['status', 'log', 'ls-remote', 'for-each-ref']);
  expect(await look()).toMatchObject({
    commitsAhead: 1,
    newCommits: 1,
    uncommittedFiles: 1,
    filesChanged: 2,
  });
  expect(await gitOf(again)).toEqual(['fetch', 'rev-list']);
  expect((await gitOf(() => workspaces.remove('ENG-1', never))).length).toBeLessThanOrEqual(20);
});

test('a run that changed nothing starts four processes of git, from its dispatch to its removal', async () => {
  const workspaces = fixture.workspaces({ environment });
  await warmUp(workspaces);
  const run = async () => {
    await workspaces.evidence(await fixture.prepareConfirmed(workspaces, issueOf('ENG-1')));
    await workspaces.remove('ENG-1', never);
  };
  expect(await gitOf(run)).toEqual(['fetch', 'checkout', 'status', 'status']);
});

/** A run whose agent commits once and pushes by itself. */
async function workOnce(workspaces: Workspaces, file: string): Promise<RunEvidence> {
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  fixture.commit(workspace.path, { [file]: 'new\n' });
  fixture.push(workspace.path, 'HEAD:refs/heads/ai/ENG-1');
  return workspaces.evidence(workspace);
}

test('a run that pushed starts six, also one that goes on, and two more when the base moved', async () => {
  const workspaces = fixture.workspaces({ environment });
  const removed = async () => {
    const report = await workspaces.remove('ENG-1', never);
    expect(report).toEqual({ removed: true, rescuedTo: null });
  };
  await warmUp(workspaces);
  const fresh = async () => {
    expect(await workOnce(workspaces, 'a.txt')).toMatchObject({
      commitsAhead: 1,
      newCommits: 1,
      pushed: true,
    });
    await removed();
  };
  expect(await gitOf(fresh)).toEqual(['fetch', 'checkout', 'status', 'log', 'ls-remote', 'status']);

  fixture.git(fixture.remote, 'branch', '-D', 'ai/ENG-1');
  await workOnce(workspaces, 'a.txt');
  const continued = async () => {
    const evidence = await workOnce(workspaces, 'b.txt');
    expect(evidence).toMatchObject({ commitsAhead: 2, newCommits: 1, filesChanged: 2, pushed: true });
  };
  const CONTINUED = ['fetch', 'rev-list', 'status', 'log', 'ls-remote'];
  expect(await gitOf(continued)).toEqual(CONTINUED);
  expect(await gitOf(removed)).toEqual(['status']);

  fixture.git(fixture.remote, 'branch', '-D', 'ai/ENG-1');
  await workOnce(workspaces, 'a.txt');
  fixture.pushToRemote('main', { 'more.txt': 'more\n' }, 'main');
  const moved = await gitOf(continued);
  expect(moved.toSorted()).toEqual([...CONTINUED, 'rev-list', 'update-ref'].toSorted());
});

test('a push through the worker starts seven', async () => {
  const workspaces = fixture.workspaces({ environment });
  await warmUp(workspaces);
  const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  fixture.commit(path, { 'a.txt': 'new\n' });
  const push = async () =>
    expect(await workspaces.push('ENG-1', { commit: null, force: false }, never)).toMatchObject({ ok: true });
  expect(await gitOf(push)).toEqual([
    // What it brings and how large that is; whether it is sound; where the remote is; and the push itself.
    ...['rev-list', 'cat-file', 'push', 'ls-remote', 'push'],
    // Mirror and workspace follow.
    ...['fetch', 'update-ref'],
  ]);
});

test('a mirror that somebody else brought up to date is read again', async () => {
  const workspaces = fixture.workspaces({ environment });
  const { git: first } = await fixture.prepareConfirmed(workspaces, issueOf('WARM-1'));
  const tip = fixture.pushToRemote('main', { 'more.txt': 'more\n' }, 'main');
  fixture.git(first?.mirrorPath ?? '', 'fetch', '--quiet', 'origin');
  const { git } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  expect(git?.headAtStart).toBe(tip);

  fixture.git(fixture.remote, 'tag', 'v1', 'main');
  fixture.git(fixture.remote, 'branch', 'other', 'main');
  const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-2'));
  expect(fixture.git(path, 'rev-parse', 'v1', 'origin/other')).toBe(`${tip}\n${tip}`);
  fixture.git(fixture.remote, 'branch', '-D', 'other');
  fixture.git(fixture.remote, 'update-ref', 'refs/tags/v1', `${tip}~1`);
  const later = await fixture.prepareConfirmed(workspaces, issueOf('ENG-3'));
  expect(fixture.git(later.path, 'rev-parse', 'v1')).toBe(fixture.git(path, 'rev-parse', `${tip}~1`));
  expect(() => fixture.git(later.path, 'rev-parse', '--verify', '--quiet', 'origin/other')).toThrow();
});

test('settings that an agent changed are brought back, and what stands is left alone', async () => {
  const workspaces = fixture.workspaces({ environment });
  const again = () => fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  const { path } = await again();
  const config = join(path, '.git', 'config');
  const before = readFileSync(config, 'utf8');
  await again();
  expect(readFileSync(config, 'utf8')).toBe(before);

  fixture.git(path, 'config', 'push.default', 'nothing');
  fixture.git(path, 'config', '--add', 'push.autoSetupRemote', 'false');
  fixture.git(path, 'config', 'remote.origin.pushurl', '/elsewhere');
  fixture.git(path, 'config', 'url./old/.git/aiops/door.git.pushInsteadOf', fixture.remote);
  await again();
  const settings = (name: string) => fixture.git(path, 'config', '--get-all', name);
  expect([settings('push.default'), settings('push.autoSetupRemote')]).toEqual(['current', 'true']);
  expect(() => settings('remote.origin.pushurl')).toThrow();
  expect(() => settings('url./old/.git/aiops/door.git.pushInsteadOf')).toThrow();
  const relay = `url.${join(path, '.git', 'aiops', 'door.git')}.pushInsteadOf`;
  expect(settings(relay)).toBe(fixture.remote);
});

test.each(['/ws/A-1', '/ws "quoted"/A-1', '/w\\s/A-1', '/ws]/#;/A-1'])(
  'what is written for a new repository, git reads as the same settings: %s',
  (workTree) => {
    const addresses = {
      workTree,
      mirrorPath: '/mirrors/a.shared.git',
      url: 'https://forge.invalid/a.git',
      readsMirror: true,
    };
    const input = renderRelayConfig(addresses);
    const printed = execFileSync('git', ['config', '--file', '-', '-z', '--list'], {
      input,
      encoding: 'utf8',
    });
    const read = printed
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.split('\n'));
    const expected = relaySettings(addresses).map(([name, value]) => [
      name.replace(/[^.]*$/, (key) => key.toLowerCase()),
      value,
    ]);
    expect(read).toEqual(expected);
  },
);
