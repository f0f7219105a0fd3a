import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { withSetupLock } from './lock.mjs';
import { root, SetupError, say } from './program.mjs';
import { runTool } from './run-command.mjs';

const stampPath = join(root, 'dist', '.build-stamp.json');
const compilerCache = join(root, 'dist', '.tsbuildinfo');
const binary = join(root, 'dist', 'cli', 'main.js');

/**
 * Compiles src/ to dist/, and the dashboard to dist/dashboard, when their sources changed. Quiet otherwise. Types are
 * checked only if that is asked for: it takes three times as long, and tests check them together with their own.
 */
export async function ensureBuilt({ checkTypes = false } = {}) {
  const isDone = () => isCurrent('program') && (!checkTypes || areTypesChecked());
  if (isDone() && isCurrent('pages')) return;
  await withSetupLock(async () => {
    if (!isDone()) await buildProgram(checkTypes);
    if (!isCurrent('pages')) await buildPages();
  });
}

async function buildProgram(checkTypes) {
  const sources = programSources();
  const fingerprint = fingerprintOf(sources);
  say('Building');
  removeStaleOutputs(sources);
  if (!outputsExist()) rmSync(compilerCache, { force: true });
  const { code } = await runTool('typescript/bin/tsc', [
    ...['-p', 'tsconfig.json'],
    ...(checkTypes ? [] : ['--noCheck']),
  ]);
  if (code !== 0) throw new SetupError('src/ does not compile; the errors are above');
  if (existsSync(binary)) chmodSync(binary, 0o755);
  writeStamp({
    program: fingerprint,
    outputs: outputsOf(sources),
    ...(checkTypes ? { types: fingerprint } : {}),
  });
}

async function buildPages() {
  const fingerprint = fingerprintOf(pageSources());
  if (hasPages()) {
    say('Building the dashboard');
    const outDir = join(root, 'dist', 'dashboard');
    const args = ['build', 'dashboard', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
    const { code } = await runTool('vite/bin/vite.js', args);
    if (code !== 0) throw new SetupError('dashboard/ does not build; the errors are above');
  }
  writeStamp({ pages: fingerprint });
}

function isCurrent(part) {
  const sources = part === 'program' ? programSources() : pageSources();
  if (readStamp()[part] !== fingerprintOf(sources)) return false;
  return part === 'program'
    ? outputsExist()
    : !hasPages() || existsSync(join(root, 'dist', 'dashboard', 'index.html'));
}

function areTypesChecked() {
  const { program, types } = readStamp();
  return types === program;
}

function programSources() {
  const isProgram = (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path);
  return ['package-lock.json', 'tsconfig.json', ...filesUnder('src').filter(isProgram)];
}

function pageSources() {
  return hasPages() ? ['package-lock.json', ...filesUnder('dashboard'), ...filesUnder('src/contract')] : [];
}

function hasPages() {
  return existsSync(join(root, 'dashboard', 'index.html'));
}

/** Differs whenever a file was added, removed or saved. */
function fingerprintOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    hash.update(`${path}\0${found?.mtimeMs}\0${found?.size}\n`);
  }
  return hash.digest('hex');
}

function filesUnder(folder) {
  const absolute = join(root, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/'),
    )
    .sort();
}

/** Declarations (`.d.ts`) have none. */
function outputsOf(sources) {
  return sources
    .filter((path) => path.startsWith('src/') && !path.endsWith('.d.ts'))
    .map((path) => path.replace(/^src\//, 'dist/').replace(/\.tsx?$/, '.js'));
}

function outputsExist() {
  return readStamp().outputs?.every((output) => existsSync(join(root, output))) ?? false;
}

/** The compiler never deletes: without this, a removed source would live on in dist. */
function removeStaleOutputs(sources) {
  const wanted = new Set(outputsOf(sources));
  for (const output of readStamp().outputs ?? []) {
    if (wanted.has(output)) continue;
    rmSync(join(root, output), { force: true });
    rmSync(join(root, `${output}.map`), { force: true });
  }
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampPath, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(part) {
  mkdirSync(dirname(stampPath), { recursive: true });
  writeFileSync(stampPath, JSON.stringify({ ...readStamp(), ...part }));
}
