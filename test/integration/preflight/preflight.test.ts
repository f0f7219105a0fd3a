import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Preflight } from '../../../src/cli/preflight/preflight.ts';
import { workerChecks } from '../../../src/cli/preflight/worker-checks.ts';
import type { Check } from '../../../src/doctor/check.ts';
import { type Clock, systemClock } from '../../../src/domain/clock.ts';
import { fail, ok, type Verdict, warn } from '../../../src/domain/verdict.ts';
import { type Logger, silentLogger } from '../../../src/observability/logger.ts';
import { StandingWarnings } from '../../../src/orchestrator/history/standing-warnings.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';

function openPreflight(clock: Clock = systemClock) {
  const lines: string[] = [];
  const note = (message: string, fields: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { ...silentLogger, info: note, warn: note };
  const warnings = new StandingWarnings(clock, logger);
  const preflight = new Preflight({ clock, warnings, redact: (text) => text, lookAgainMs: 20 });
  onTestFinished(() => preflight.stop());
  return { preflight, warnings, lines };
}

function check(id: string, run: () => Promise<Verdict>, more: Partial<Check> = {}): Check {
  return { id, title: id, needs: 'machine', run, ...more };
}

/** Resolves when the list of warnings is as wanted; the bound is that of the test. */
function until(warnings: StandingWarnings, isThere: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isThere()) return resolve();
    const forget = warnings.observe(() => {
      if (!isThere()) return;
      forget();
      resolve();
    });
  });
}

test('everything that is definitely wrong stops the start, each with its fix', async () => {
  const { preflight, warnings } = openPreflight();
  const broken = preflight.start([
    check('a', async () => fail('a is wrong', 'Mend a.')),
    check('b', async () => ok('fine')),
    check('c', async () => fail('c is wrong', 'Mend c.')),
    check('d', async () => fail('d concerns few', 'Mend d.'), { optional: true }),
  ]);
  await expect(broken).rejects.toMatchObject({
    code: 'setup_broken',
    message: expect.stringMatching(
      /2 things cannot work\na: a is wrong\n {2}Fix: Mend a\.\nc: c is wrong\n {2}Fix: Mend c\./,
    ),
    hint: expect.stringContaining('aiops doctor'),
  });
  expect(warnings.list).toEqual([]);
});

test('what may heal is a warning until it does, and both are said once', async () => {
  const { preflight, warnings, lines } = openPreflight();
  let healthy = false;
  await preflight.start([
    check('network', async () => (healthy ? ok('there') : { ...fail('no answer', 'Wait.'), heals: true })),
    check('labels', async () => warn('one is missing', 'Make it.')),
  ]);
  expect(warnings.list).toMatchObject([
    { id: 'network', message: 'no answer', fix: 'Wait.', since: expect.any(Number) },
    { id: 'labels', message: 'one is missing' },
  ]);
  healthy = true;
  await until(warnings, () => warnings.list.length === 1);
  expect(warnings.list).toMatchObject([{ id: 'labels' }]);
  expect(lines.filter((line) => line.startsWith('something is wrong'))).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('what was wrong is right again'))).toEqual([
    expect.stringContaining('"warning":"network"'),
  ]);
});

test('what is watched becomes a warning while the worker runs, and ends by itself', async () => {
  const { preflight, warnings } = openPreflight();
  let kept = 0;
  const watched = async (): Promise<Verdict> => (kept === 0 ? ok('none') : warn(`${kept} kept`, 'Decide.'));
  await preflight.start([
    check('rescues', watched, { watched: true }),
    check('once', async () => (kept === 0 ? ok('fine') : warn('asked again', 'Never.'))),
  ]);
  expect(warnings.list).toEqual([]);
  kept = 2;
  await until(warnings, () => warnings.list.length > 0);
  expect(warnings.list).toMatchObject([{ id: 'rescues', message: '2 kept' }]);
  kept = 0;
  await until(warnings, () => warnings.list.length === 0);
});

test('a start waits no longer than its window; a later answer is a warning', async () => {
  const timers: { delayMs: number; fire: () => void }[] = [];
  const clock: Clock = {
    now: () => 1_000,
    elapsed: () => 1_000,
    paused: () => 0,
    setTimer(delayMs, fire) {
      timers.push({ delayMs, fire });
      return () => {};
    },
  };
  const { preflight, warnings } = openPreflight(clock);
  let answer = (_verdict: Verdict): void => {};
  const slow = check(
    'slow',
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const started = preflight.start([slow, check('quick', async () => ok('fine'))]);
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([3_000]);
  timers[0]?.fire();
  await started;
  expect(warnings.list).toEqual([]);
  answer(fail('wrong after all', 'Mend it.'));
  await until(warnings, () => warnings.list.length === 1);
  expect(warnings.list).toMatchObject([
    { id: 'slow', message: 'wrong after all', fix: 'Mend it.', since: 1_000 },
  ]);
});

test('an edit that cannot work is refused, and one that can ends the warnings of the old file', async () => {
  const { preflight, warnings } = openPreflight();
  await preflight.start([check('old', async () => warn('old trouble', 'Mend it.'))]);
  await expect(preflight.refuse([check('a', async () => fail('wrong', 'Mend it.'))])).rejects.toMatchObject({
    code: 'setup_broken',
  });
  expect(warnings.list).toMatchObject([{ id: 'old' }]);
  preflight.follow([check('new', async () => warn('new trouble', 'Mend it.'))]);
  await until(warnings, () => warnings.list.some(({ id }) => id === 'new'));
  expect(warnings.list).toMatchObject([{ id: 'new' }]);
});

test('a remote that does not answer is a warning that ends when it does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aiops-preflight-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main', 'work');
  git('-C', 'work', 'commit', '-q', '--allow-empty', '-m', 'First');
  git('clone', '-q', '--bare', 'work', 'app.git');
  git('-C', 'app.git', 'update-server-info');
  let up = false;
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://x').pathname);
    const there = up && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    response.writeHead(there ? 200 : up ? 404 : 503).end(there ? readFileSync(path) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  mkdirSync(join(folder, 'issues'));
  const path = join(folder, 'WORKFLOW.md');
  writeFileSync(
    path,
    `---\ntracker: {kind: local, path: issues}\nrepo: {clone_url: "http://127.0.0.1:${port}/app.git"}\nworkspace: {root: w, mirror_root: m}\n---\nGo.\n`,
  );
  const environment = { HOME: folder, PATH: process.env['PATH'] ?? '' };
  const loaded = await loadWorkflow({ path, environment });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { preflight, warnings } = openPreflight();
  await preflight.start(await workerChecks(loaded, { environment, cwd: folder }));
  await until(warnings, () => warnings.list.some(({ id }) => id === 'repository'));
  up = true;
  await until(warnings, () => !warnings.list.some(({ id }) => id === 'repository'));
});
