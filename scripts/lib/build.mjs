import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { bundleProgram, program } from './bundle.mjs';
import { withSetupLock } from './lock.mjs';
import { root, SetupError, say } from './program.mjs';
import { runTool } from './run-command.mjs';

const stampPath = join(root, 'dist', '.build-stamp.json');
const compilerCache = join(root, 'dist', '.tsbuildinfo');

/**
 * Compiles src/ to dist/, bundles the program into dist/program, and the dashboard into dist/dashboard, when their sources
 * changed. Quiet otherwise. Types are checked only if that is asked for: it takes three times as long, and tests check them
 * together with their own.
 */
export async function ensureBuilt({ checkTypes = false } = {}) {
  const isCompiled = () => isCurrent('modules') && (!checkTypes || areTypesChecked());
  if (isCompiled() && isCurrent('program') && isCurrent('pages')) return;
  await withSetupLock(async () => {
    if (!isCompiled()) await compileModules(checkTypes);
    if (!isCurrent('program')) await buildProgram();
    if (!isCurrent('pages')) await buildPages();
  });
}

async function compileModules(checkTypes) {
  const sources = moduleSources();
  const fingerprint = fingerprintOf(sources);
  say('Building');
  removeStaleOutputs(sources);
  if (!outputsExist()) rmSync(compilerCache, { force: true });
  const { code } = await runTool('typescript/bin/tsc', [
    ...['-p', 'tsconfig.json'],
    ...(checkTypes ? [] : ['--noCheck']),
  ]);
  if (code !== 0) throw new SetupError('src/ does not compile; the errors are above');
  writeStamp({
    modules: fingerprint,
    outputs: outputsOf(sources),
    ...(checkTypes ? { types: fingerprint } : {}),
  });
}

async function buildProgram() {
  const fingerprint = fingerprintOf(SOURCES.program());
  await bundleProgram().catch((error) => {
    throw error instanceof SetupError ? error : new SetupError(`src/ cannot be bundled: ${error.message}`);
  });
  writeStamp({ program: fingerprint });
}

async function buildPages() {
  const fingerprint = fingerprintOf(SOURCES.pages());
  if (hasPages()) {
    say('Building the dashboard');
    const outDir = join(root, 'dist', 'dashboard');
    const args = ['build', 'dashboard', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
    const { code } = await runTool('vite/bin/vite.js', args);
    if (code !== 0) throw new SetupError('dashboard/ does not build; the errors are above');
  }
  writeStamp({ pages: fingerprint });
}

/** What each part of a build is made from, and whether it is there. */
const SOURCES = {
  modules: moduleSources,
  program: () => [
    ...moduleSources(),
    ...['bundle', 'compile-ahead', 'third-party'].map((name) => `scripts/lib/${name}.mjs`),
  ],
  pages: pageSources,
};
const EXISTS = {
  modules: outputsExist,
  program: () => existsSync(program),
  pages: () => !hasPages() || existsSync(join(root, 'dist', 'dashboard', 'index.html')),
};

function isCurrent(part) {
  return readStamp()[part] === fingerprintOf(SOURCES[part]()) && EXISTS[part]();
}

function areTypesChecked() {
  const { modules, types } = readStamp();
  return types === modules;
}

function moduleSources() {
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
