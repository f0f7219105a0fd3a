import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, SetupError, say } from './program.mjs';
import { secondsSince } from './run-command.mjs';

/** What `npm test` runs of vitest.config.ts. */
export const FAST_PROJECTS = ['--project', 'units', '--project', 'whole'];

/**
 * Runs the checks, then vitest. The last line on stdout counts the tests, and each failed check as one more failure:
 * `N passed, N failed, N skipped`. Resolves with the exit code.
 */
export async function runSuite({ checks, vitestArgs }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts.failed += await countFailedChecks(checks);
    addCounts(counts, await runVitest(vitestArgs));
  } catch (error) {
    say(`error: ${error instanceof SetupError ? error.message : error.stack}`);
    counts.failed += 1;
  }
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  return counts.failed === 0 ? 0 : 1;
}

async function countFailedChecks(checks) {
  let failed = 0;
  for (const check of checks) {
    const started = Date.now();
    const code = await check.run();
    say(`${code === 0 ? '✓' : '✗'} ${check.title} (${secondsSince(started)})`);
    if (code !== 0) failed += 1;
  }
  return failed;
}

/** Counts what vitest reports; a crash, or a failure it did not count, is one failure more. */
async function runVitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'aiops-test-count-'));
  const countFile = join(folder, 'counts.json');
  try {
    const code = await spawnVitest(args, countFile);
    const counts = readCounts(countFile);
    if (counts === null) return { passed: 0, failed: 1, skipped: 0 };
    const uncounted =
      (code !== 0 && counts.failed === 0) || counts.passed + counts.failed + counts.skipped === 0;
    return uncounted ? { ...counts, failed: counts.failed + 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function spawnVitest(args, countFile) {
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'count-reporter.mjs')}`];
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, AIOPS_TEST_COUNT_FILE: countFile },
    });
    // The terminal and npm signal vitest too: it ends by itself, and the count must still be printed.
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function addCounts(total, more) {
  for (const key of Object.keys(total)) total[key] += more[key];
}
