import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BREAKAGES } from '../test/conformance/proof/breakages.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root, runProgram } from './lib/program.mjs';

/** Where citing tests may lie that need no build: most of them. */
const NEED_A_BUILD = /\/runner-mock[\w-]*\.test\.ts$/;
const PLACES =
  /^(?:src|test\/conformance\/scenarios|test\/integration\/workspaces|test\/contracts)\/.*\.test\.ts$/;

/**
 * Shows that citations of the SPEC prove what they cite: breaks the behaviour in a copy of the repository and expects a
 * citing test of each line to fail. Arguments choose lines: `npm run conformance:prove -- R-8.2-j`.
 */
await runProgram(async () => {
  await ensureInstalled();
  const asked = process.argv.slice(2);
  const breakages = BREAKAGES.filter(
    ({ lines }) => asked.length === 0 || lines.some((line) => asked.includes(line)),
  );
  const copy = mkdtempSync(join(tmpdir(), 'aiops-conformance-'));
  try {
    const tests = copyRepository(copy);
    const counts = { passed: 0, failed: 0 };
    const all = breakages.flatMap(({ lines }) => lines);
    const intact = failingTitles(copy, tests, all);
    for (const title of intact) say(`fails before anything is broken: ${title}`);
    counts.failed += intact.length;
    for (const breakage of breakages) prove(copy, tests, breakage, counts);
    say(`${counts.passed} passed, ${counts.failed} failed, 0 skipped`);
    return counts.failed === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

/** Copies what git knows of; gives the test files with their texts. */
function copyRepository(copy) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const paths = stdout.split('\0').filter((path) => path !== '');
  for (const path of paths) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return paths
    .filter((path) => PLACES.test(path) && !NEED_A_BUILD.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]);
}

function prove(copy, tests, { lines, file, find, replace }, counts) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) {
    counts.failed += lines.length;
    say(`${lines.join(' ')}: ${file} does not have this once: ${find}`);
    return;
  }
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  try {
    const failing = failingTitles(copy, tests, lines);
    for (const line of lines) {
      const proof = failing.find((title) => cites(title, line));
      counts[proof === undefined ? 'failed' : 'passed'] += 1;
      say(
        proof === undefined ? `${line} NOT PROVEN by breaking ${file}: ${find}` : `${line} fails: ${proof}`,
      );
    }
  } finally {
    writeFileSync(path, source);
  }
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function cites(text, line) {
  return new RegExp(`\\b${line.replaceAll('.', '\\.')}\\b`).test(text);
}

/** Titles of tests that cite one of the lines and fail. */
function failingTitles(copy, tests, lines) {
  const files = tests.filter(([, text]) => lines.some((line) => cites(text, line))).map(([path]) => path);
  if (files.length === 0) return [];
  const names = lines.map((line) => line.replaceAll('.', '\\.')).join('|');
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const config = ['--config', 'test/conformance/proof/vitest.config.ts'];
  const output = ['--reporter=json', `--outputFile=${report}`];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', ...config, ...output, '-t', `\\b(${names})\\b`, ...files];
  spawnSync(process.execPath, args, { cwd: copy, stdio: 'ignore' });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.flatMap(({ name, message, assertionResults }) =>
    assertionResults.length === 0
      ? [`${name} could not be loaded: ${message.slice(0, 200)}`]
      : assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
}
