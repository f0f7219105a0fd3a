import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileAhead } from './compile-ahead.mjs';
import { root } from './program.mjs';
import { noticesOf } from './third-party.mjs';

/**
 * What the package's users install beside it: native code, what comes without a licence text that a bundle could pass on
 * (yoga-layout, which Ink lays text out with), and what they may do without. Everything else that the program imports goes
 * into the bundle. Ink asks for the last one only in its own development.
 */
const EXTERNAL = [
  /^@photostructure\/sqlite$/,
  /^yoga-layout$/,
  /^@opentelemetry\//,
  /^@anthropic-ai\//,
  /^react-devtools-core$/,
];

/** Programs that run as processes of their own, by the name of their file. */
const PROGRAMS = {
  aiops: 'src/cli/main.ts',
  helper: 'src/workspaces/helper/main.ts',
  'ink-screen': 'src/tui/terminal/ink-screen.ts',
};
/** What a worker runs from one file: CommonJS, because Node 20 can keep the compiled form of nothing else. */
const WORKER_FILE = 'src/cli/run-cli.ts';

/**
 * Modules that are loaded together, by the name of their chunk: all that the files import and the rows above do not have.
 * A start is mostly finding and reading files, so what nearly every command needs is in few of them.
 */
const TOGETHER = [
  // The version needs no more; the bundler knows best.
  [null, ['src/cli/main.ts', 'src/cli/io.ts']],
  ['command-line', ['src/cli/run-cli.ts', 'src/cli/outline/tell-help.ts']],
  // Alone: how it checks is said before there is any schema (src/contract/no-eval.ts).
  ['zod', ['node_modules/zod/index.js']],
  ['client', ['src/cli/status/command.ts']],
];

const folder = join(root, 'dist', 'program');
/** The program that the package's `bin` names. */
export const program = join(folder, 'aiops.js');

/**
 * Puts the command line and the helper into `dist/program`: one chunk for each command and for whatever else is loaded on demand,
 * and all of it again in one file for the worker. Nothing is renamed and lines stay lines, so that a stack trace can be read; the
 * source maps hold positions only.
 */
export async function bundleProgram() {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const modules = [...(await bundleChunks(fresh)), ...(await bundleWorker(fresh))];
  writeFileSync(join(fresh, 'THIRD-PARTY-NOTICES.txt'), noticesOf(modules));
  chmodSync(join(fresh, 'aiops.js'), 0o755);
  writeFileSync(join(fresh, 'commands.json'), outlineOf(join(fresh, 'aiops.js')));
  replaceFolder(folder, fresh);
  compileAhead(program);
}

function bundleChunks(dir) {
  return bundle(
    // Entries may share what they are made of.
    { input: PROGRAMS, preserveEntrySignatures: 'allow-extension' },
    {
      dir,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: groupingOf(TOGETHER), debugName: 'together' }],
      },
    },
  );
}

async function bundleWorker(dir) {
  const modules = await bundle(
    { input: WORKER_FILE, plugins: [inkScreenApart] },
    { file: join(dir, 'worker.cjs'), format: 'cjs', codeSplitting: false },
  );
  const path = join(dir, 'worker.cjs');
  writeFileSync(path, escapeUnicode(importThroughParameter(readFileSync(path, 'utf8'))));
  return modules;
}

/** Gives the files that went in. */
async function bundle(input, output) {
  // Loaded here: other scripts run before anything is installed.
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    external: EXTERNAL,
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    ...input,
  });
  const written = await build.write({
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    ...output,
  });
  await build.close();
  return written.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Ink waits while it is loaded, which CommonJS cannot: the worker takes it from the chunks. */
const inkScreenApart = {
  name: 'ink-screen-apart',
  resolveId: (id) => (id.endsWith('/ink-screen.ts') ? { id: './ink-screen.js', external: true } : null),
};

/** Code that V8 has kept cannot import modules by itself: `run-compiled.ts` gives it the means. */
function importThroughParameter(text) {
  return text.replace(/\bimport\("/g, 'importModule("');
}

/** Texts of plain ASCII take half the memory, and are read without being decoded. */
function escapeUnicode(text) {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The chunk of a module; null leaves it to the bundler. */
function groupingOf(rows) {
  let chunks = null;
  return (id, context) => {
    chunks ??= new Map(
      rows
        .toReversed()
        .flatMap(([name, files]) => [...importedBy(files, context)].map((module) => [module, name])),
    );
    return chunks.get(id) ?? null;
  };
}

function importedBy(files, context) {
  const found = new Set();
  const visit = (id) => {
    const info = found.has(id) ? null : context.getModuleInfo(id);
    if (info === null) return;
    found.add(id);
    for (const below of info.importedIds) visit(below);
  };
  for (const file of files) visit(join(root, file));
  return found;
}

/** What the program's commands are, from the program itself: its help and completion then load none of them. */
function outlineOf(file) {
  return execFileSync(process.execPath, [file, '__outline'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
}

/** A reader finds the old folder or the new one, never a part. */
function replaceFolder(target, fresh) {
  const old = `${target}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
  rmSync(old, { recursive: true, force: true });
}
