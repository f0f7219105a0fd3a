import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exists, type Fixture } from '../../e2e/cli/fixture.ts';
import { branches, git } from '../../e2e/cli/git.ts';
import { waitFor } from '../../e2e/cli/wait.ts';
import { openFixture, startWorker } from '../../e2e/cli/worker-fixture.ts';
import { runGit } from './hostile-fixture.ts';

/** The first push waits at the remote until the test lets it end, refused; later ones are taken. */
function holdFirstPush(fixture: Fixture): { readonly reached: string; readonly letGo: string } {
  const [reached, letGo] = [join(fixture.directory, 'reached'), join(fixture.directory, 'let-go')];
  const hook = join(fixture.remote, 'hooks', 'pre-receive');
  const wait = `n=0; until test -e '${letGo}' || test $n -ge 1200; do sleep 0.1; n=$((n + 1)); done; exit 1`;
  writeFileSync(hook, `#!/bin/sh\ntest -e '${reached}' && exit 0\ntouch '${reached}'\n${wait}\n`);
  chmodSync(hook, 0o755);
  return { reached, letGo };
}

test('a worker that is killed during a push: git push ends with the reason, and the next worker pushes', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('HANG-1', { mock: { behaviour: 'hang', when: 'after_commit', times: 1 } });
  const { reached, letGo } = holdFirstPush(fixture);
  const first = await startWorker(fixture);
  await first.untilRunning('HANG-1');
  const workspace = fixture.workspace('HANG-1');
  const isCommitted = (): boolean => git(workspace, 'log', '-1', '--format=%s').startsWith('HANG-1:');
  await waitFor('the agent has committed', isCommitted, { describe: first.stderr });
  const pushed = runGit(workspace, fixture.env, ['push', 'origin', 'HEAD']);
  await waitFor('the push is at the remote', () => exists(reached), { describe: first.stderr });
  await first.end('SIGKILL');
  const { code, text } = await pushed;
  expect(code).not.toBe(0);
  expect(text).toContain('remote: The worker stopped in the middle of the push');
  writeFileSync(letGo, '');
  expect(branches(fixture.remote)).toEqual(['main']);

  const second = await startWorker(fixture);
  const delivered = ({ outcome }: { readonly outcome: string }): boolean => outcome === 'delivered';
  const row = await second.until('the issue is delivered', ({ ended }) => ended.find(delivered) ?? null, {
    withinMs: 60_000,
  });
  expect(row).toMatchObject({ issue_identifier: 'HANG-1', pushed: true });
  expect(branches(fixture.remote)).toEqual(['ai/HANG-1', 'main']);
  expect(git(fixture.remote, 'rev-parse', 'ai/HANG-1')).toBe(git(workspace, 'rev-parse', 'HEAD'));
  await second.end('SIGTERM');
}, 180_000);

test('a push that no worker takes ends with the reason, and leaves nothing that the next worker would push', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('HANG-2', { mock: { behaviour: 'hang', when: 'after_commit' } });
  const worker = await startWorker(fixture);
  await worker.untilRunning('HANG-2');
  const workspace = fixture.workspace('HANG-2');
  const isCommitted = (): boolean => git(workspace, 'log', '-1', '--format=%s').startsWith('HANG-2:');
  await waitFor('the agent has committed', isCommitted, { describe: worker.stderr });
  await worker.end('SIGKILL');
  const { code, text } = await runGit(workspace, fixture.env, ['push', 'origin', 'HEAD']);
  expect(code).not.toBe(0);
  expect(text).toContain('remote: The worker did not take the push, so nothing was pushed.');
  expect(branches(fixture.remote)).toEqual(['main']);
  const next = await startWorker(fixture);
  await next.untilRunning('HANG-2');
  await next.end('SIGTERM');
  expect(branches(fixture.remote)).toEqual(['main']);
}, 180_000);
