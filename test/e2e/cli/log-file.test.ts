import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from './cli.ts';
import { waitFor } from './wait.ts';
import { openFixture, parseLog } from './worker-fixture.ts';

it('logs to a file that is bounded, and nothing of it to standard error', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('LF-1', { mock: { behaviour: 'turns', turns: 3 } });
  const flags = ['--log-file', 'logs/worker.log', '--log-file-size', '500', '--log-file-count', '3'];
  const options = { cwd: fixture.directory, env: fixture.env };
  const ended = await runCli(['worker', '--once', '--json', '--log-level', 'debug', ...flags], options);
  expect(ended.code).toBe(0);
  const folder = join(fixture.directory, 'logs');
  expect(ended.stderr).toBe(`aiops: logging to ${join(folder, 'worker.log')}\n`);
  const names = (await readdir(folder)).toSorted();
  expect(names).toEqual(['worker.log', 'worker.log.1', 'worker.log.2']);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  for (const text of texts) expect(parseLog(text).every((line) => 'msg' in line)).toBe(true);

  const upstream = await runCli(['worker', '--once', '--logs-root', 'up'], options);
  expect(upstream.code).toBe(0);
  const log = parseLog(await readFile(join(fixture.directory, 'up', 'log', 'symphony.log'), 'utf8'));
  expect(log).toContainEqual(expect.objectContaining({ msg: 'worker ready' }));
  // The helper process of a worker sees its end a moment later.
  await waitFor('nothing is left running', () => fixture.processes().length === 0);
});
