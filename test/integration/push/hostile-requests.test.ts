import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import type { PushRequest } from '../../../src/domain/push.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { serveRelay } from '../../../src/workspaces/relay/serve-relay.ts';
import { BRANCH, gone, type HostileFixture, openHostileFixture, REF } from './hostile-fixture.ts';

/** A clock whose timers go off by hand. */
function handClock(): Clock & { fire(): void } {
  let timers: (() => void)[] = [];
  return {
    now: () => 0,
    elapsed: () => 0,
    paused: () => 0,
    setTimer(_ms, act) {
      timers.push(act);
      return () => {
        timers = timers.filter((timer) => timer !== act);
      };
    },
    fire() {
      for (const act of timers.splice(0)) act();
    },
  };
}

/** What an agent could ask the worker to push. Nothing but the own branch may ever change. */

let fixture: HostileFixture;
beforeEach(async () => {
  fixture = await openHostileFixture();
});
afterEach(() => fixture.close());

describe('what the relay refuses by itself, and the worker behind it', () => {
  const refusals: [string, string[]][] = [
    ['another branch', ['push', 'origin', 'HEAD:refs/heads/other']],
    ['the default branch', ['push', 'origin', 'HEAD:main']],
    ['the default branch by force', ['push', '--force', 'origin', 'HEAD:main']],
    ['the default branch with a plus', ['push', 'origin', '+HEAD:refs/heads/main']],
    ['a tag', ['push', 'origin', 'HEAD:refs/tags/v2']],
    ['a tag moved', ['push', '--force', 'origin', 'HEAD:refs/tags/v1']],
    ['all tags', ['push', '--tags', 'origin', 'HEAD']],
    ['everything', ['push', '--mirror', 'origin']],
    ['all branches beside a second one', ['push', 'origin', 'HEAD', 'HEAD:refs/heads/second']],
    ['its own deletion', ['push', 'origin', `:${BRANCH}`]],
    ['a deletion of the default branch', ['push', 'origin', '--delete', 'main']],
    ['a ref outside of branches', ['push', 'origin', 'HEAD:refs/for/main']],
    ['a branch that begins like its own', ['push', 'origin', `HEAD:${REF}-2`]],
    ['a pull request ref', ['push', 'origin', 'HEAD:refs/pull/1/head']],
    ['notes', ['push', 'origin', 'HEAD:refs/notes/commits']],
  ];
  test.each(refusals)('%s', async (_, args) => {
    fixture.workspaceFixture.git(fixture.workspace.path, 'tag', 'mine');
    const { code } = await fixture.agentGit(...args);
    expect(code).not.toBe(0);
    fixture.expectUntouched();
    expect(fixture.ownOnRemote()).toBeNull();
  });

  /** The hook is the agent's to rewrite, so the worker hears what the agent likes. */
  const requests: [string, (id: string) => string | Buffer][] = [
    ['another ref', (id) => `${id} refs/heads/main force\n`],
    ['two refs in one', (id) => `${id} ${REF} plain\n${id} refs/heads/main force\n`],
    ['a commit that is an option', () => `--upload-pack=/bin/true ${REF} plain\n`],
    ['a commit that is a name', () => `HEAD ${REF} plain\n`],
    ['a refspec in the commit', (id) => `${id}:refs/heads/main ${REF} plain\n`],
    ['a ref with a refspec', (id) => `${id} ${REF}:refs/heads/main plain\n`],
    ['a ref with a line break', (id) => `${id} ${REF}\nrefs/heads/main plain\n`],
    ['nothing', () => ''],
    ['no UTF-8', () => Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a])],
    ['a flood', () => 'a'.repeat(5_000_000)],
    ['a commit that is not there', () => `${'f'.repeat(40)} ${REF} force\n`],
  ];
  test.each(requests)('a request of %s', async (_, text) => {
    writeFileSync(fixture.dotGit('aiops', 'door.git', 'requests', 'Request1'), text(fixture.head()));
    await gone(fixture.dotGit('aiops', 'door.git', 'requests', 'Request1'));
    await fixture.relay.close();
    fixture.expectUntouched();
    expect(fixture.ownOnRemote()).toBeNull();
  });

  test('requests that are no files, a pipe and links, are taken away; a folder stays; the next push goes through', async () => {
    const folder = fixture.dotGit('aiops', 'door.git', 'requests');
    mkdirSync(join(folder, 'Folder01'));
    execFileSync('mkfifo', [join(folder, 'Pipe0001')]);
    symlinkSync('/etc/passwd', join(folder, 'Link0001'));
    symlinkSync('/dev/zero', join(folder, 'Zero0001'));
    for (const name of ['Pipe0001', 'Link0001', 'Zero0001']) {
      await expect.poll(() => readdirSync(folder).includes(name), { timeout: 20_000 }).toBe(false);
    }
    expect(readdirSync(folder)).toEqual(['Folder01']);
    expect(existsSync('/etc/passwd')).toBe(true);
    expect(await fixture.agentGit('push')).toMatchObject({ code: 0 });
    expect(fixture.ownOnRemote()).toBe(fixture.head());
    fixture.expectUntouched();
  });

  test('a request among thousands of other files is found', async () => {
    const folder = fixture.dotGit('aiops', 'door.git', 'requests');
    for (let index = 0; index < 3_000; index += 1) writeFileSync(join(folder, `.junk${index}`), 'x');
    expect(await fixture.agentGit('push')).toMatchObject({ code: 0 });
    expect(fixture.ownOnRemote()).toBe(fixture.head());
    expect(readdirSync(folder)).toHaveLength(3_000);
    fixture.expectUntouched();
  });

  test('answers that are not written through what the agent puts in their place', async () => {
    const victim = join(fixture.workspaceFixture.base, 'victim');
    mkdirSync(victim);
    rmSync(fixture.dotGit('aiops', 'door.git', 'answers'), { recursive: true });
    symlinkSync(victim, fixture.dotGit('aiops', 'door.git', 'answers'));
    writeFileSync(
      fixture.dotGit('aiops', 'door.git', 'requests', 'Request1'),
      `${fixture.head()} ${REF} plain\n`,
    );
    await gone(fixture.dotGit('aiops', 'door.git', 'requests', 'Request1'));
    await fixture.relay.close();
    expect(readdirSync(victim)).toEqual([]);
    fixture.expectUntouched();
  });

  test.each([
    ['the relay itself', ['aiops', 'door.git'], false],
    ['what it lies in', ['aiops'], false],
    ['its requests', ['aiops', 'door.git', 'requests'], false],
    ['nothing, as it should be', [], true],
  ])('with a link in place of %s, whatever lies behind it is not served', async (_, place, served) => {
    await fixture.relay.close();
    const elsewhere = join(fixture.workspaceFixture.base, 'elsewhere');
    if (place.length > 0) {
      renameSync(fixture.dotGit(...place), elsewhere);
      symlinkSync(elsewhere, fixture.dotGit(...place));
    }
    const request = fixture.dotGit('aiops', 'door.git', 'requests', 'Request1');
    writeFileSync(request, `${fixture.head()} ${REF} plain\n`);
    const asked: PushRequest[] = [];
    const clock = handClock();
    const relay = serveRelay({
      workTree: fixture.workspace.path,
      branch: BRANCH,
      clock,
      logger: silentLogger,
      push: async (wanted) => {
        asked.push(wanted);
        return { ok: true, branch: BRANCH, commit: fixture.head(), changed: true, remoteLines: [] };
      },
      tip: async () => null,
    });
    clock.fire();
    await relay.close();
    expect(asked).toHaveLength(served ? 1 : 0);
    expect(existsSync(request)).toBe(!served);
    fixture.expectUntouched();
    expect(fixture.ownOnRemote()).toBeNull();
  });

  test('a deleted relay fails the push and nothing else', async () => {
    rmSync(fixture.dotGit('aiops'), { recursive: true });
    expect((await fixture.agentGit('push')).code).not.toBe(0);
    fixture.expectUntouched();
  });

  test('many pushes at once end with the branch at one of them', async () => {
    const results = await Promise.all([
      fixture.push(),
      fixture.push(),
      fixture.agentGit('push'),
      fixture.agentGit('push'),
    ]);
    expect(
      results.filter((result) => ('ok' in result ? result.ok : result.code === 0)).length,
    ).toBeGreaterThan(0);
    expect(fixture.ownOnRemote()).toBe(fixture.head());
    fixture.expectUntouched();
  });
});
