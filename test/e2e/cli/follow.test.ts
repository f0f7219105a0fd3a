import { expect, it } from 'vitest';
import { type CliProcess, startCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { waitFor } from './wait.ts';
import { openFixture, startWorker } from './worker-fixture.ts';

const HANGS = { mock: { behaviour: 'hang', when: 'after_commit' } };

function followLogs(fixture: Fixture, id: string, url: string): CliProcess {
  return startCli(['logs', id, '--follow', '--url', url], { cwd: fixture.directory, env: fixture.env });
}

it('follows a run to its end, which a worker that is stopped brings about', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('LOG-1', HANGS);
  const worker = await startWorker(fixture);
  await worker.untilRunning('LOG-1');
  const logs = followLogs(fixture, 'LOG-1', worker.url);
  await logs.printed('turn_started');
  await worker.end('SIGTERM');
  expect(await logs.exited).toEqual({ code: 0, signal: null });
  expect(logs.stderr()).toMatch(/^aiops: worker of .*\n$/);
});

it('waits for a worker that is killed, and ends with the run that went with it', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('LOG-2', HANGS);
  const first = await startWorker(fixture);
  await first.untilRunning('LOG-2');
  const logs = followLogs(fixture, 'LOG-2', first.url);
  await logs.printed('turn_started');
  await first.end('SIGKILL');
  await waitFor('the wait is told', () => logs.stderr().includes('waiting for it'), {
    describe: logs.stderr,
  });
  const second = await startWorker(fixture, ['--port', new URL(first.url).port]);
  expect(await logs.exited).toEqual({ code: 0, signal: null });
  expect(logs.stderr().replace(/^aiops: worker of .*\n/, '')).toBe(
    'aiops: the worker does not answer, waiting for it\naiops: the worker is back\n',
  );
  const lines = logs.stdout().trimEnd().split('\n');
  expect(new Set(lines).size).toBe(lines.length);
  await second.end('SIGTERM');
});
