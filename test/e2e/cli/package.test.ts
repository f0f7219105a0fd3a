import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRepositoryFile, sourceFiles } from '../../architecture/repository.ts';
import { branches, git } from './git.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

let temporary: string;
/** Of somebody who installed the package. */
let folder: string;
/** What the package holds. */
let packed: string[];

function run(cwd: string, program: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_update_notifier: 'false' };
  try {
    return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: 'pipe', timeout: 60_000 });
  } catch (error) {
    const { stdout, stderr } = Object(error);
    throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  }
}

function aiops(...args: string[]): string {
  return run(folder, join(folder, 'node_modules', '.bin', 'aiops'), ...args);
}

function readJson(...path: string[]) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

/**
 * What the package depends on is there before it is installed, so that nothing has to be downloaded: as links to copies that npm
 * takes for somebody else's, and leaves alone.
 */
function layOutDependencies(): void {
  const { packages } = readJson(root, 'package-lock.json');
  for (const path of Object.keys(packages)) {
    const { dev, devOptional, peer } = packages[path];
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || devOptional || peer) continue;
    cpSync(join(root, path), join(temporary, 'store', path), { recursive: true });
  }
  for (const name of Object.keys(readJson(root, 'package.json').dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(temporary, 'store', 'node_modules', name), link);
  }
}

beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'aiops-package-'));
  folder = join(temporary, 'user');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  run(root, process.execPath, compiler, '-p', 'tsconfig.types.json');
  // The build has just been made; making it again here could only disturb others who run it.
  const [tarball] = JSON.parse(
    run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  );
  packed = tarball.files.map(({ path }: { path: string }) => path);
  layOutDependencies();
  const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  run(folder, 'npm', 'install', ...quietly, join(folder, tarball.filename));
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

test('the package holds what its users need, and nothing of its making', () => {
  expect(packed.filter((path) => path.startsWith('schema/'))).toEqual([
    'schema/openapi.json',
    'schema/workflow.schema.json',
  ]);
  expect(
    packed.filter((path) => /(^|\/)\.|\.test\.|\.(bin|tsbuildinfo)$|^(src|test|scripts)\//.test(path)),
  ).toEqual([]);
  expect(packed).toContain('dist/dashboard/index.html');
  expect(
    packed.filter((path) => /^dist\/(?!contract|dashboard|program|runners\/mock\/agent)/.test(path)),
  ).toEqual([]);
});

test('the package holds every file that its program looks for', () => {
  const sources = sourceFiles('src').map(readRepositoryFile).join('\n');
  const wanted = [...sources.matchAll(/packageFile\('([^']+)'\)/g)].map(([, path]) => path ?? '');
  expect(wanted).toContain('dist/program/helper.js');
  const isPacked = (path: string) => packed.some((file) => file === path || file.startsWith(`${path}/`));
  expect(wanted.filter((path) => !isPacked(path))).toEqual([]);
});

test('its program helps, knows its version and prints the schema that it ships', () => {
  expect(aiops('--help')).toContain('Usage: aiops');
  expect(aiops('--version').trim()).toBe(readJson(root, 'package.json').version);
  const shipped = readJson(folder, 'node_modules', 'aiops-platform', 'schema', 'workflow.schema.json');
  expect(JSON.parse(aiops('config', 'schema'))).toEqual(shipped);
});

test('its program approves of the example that it ships, and does its issue', () => {
  const flow = join(folder, 'flow');
  cpSync(join(folder, 'node_modules', 'aiops-platform', 'examples', 'local'), flow, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main', 'seed');
  git(join(folder, 'seed'), 'commit', '--quiet', '--allow-empty', '--message=First');
  git(folder, 'clone', '--quiet', '--bare', 'seed', join(flow, 'project'));
  const { checks } = JSON.parse(aiops('doctor', '--offline', '--json', flow));
  expect(checks.filter(({ status }: { status: string }) => status === 'fail')).toEqual([]);
  const { runs } = JSON.parse(aiops('worker', '--once', '--json', flow));
  expect(runs).toMatchObject([{ issue_identifier: 'TASK-1', outcome: 'delivered' }]);
  expect(branches(join(flow, 'project'))).toEqual(['ai/TASK-1', 'main']);
});

test('its program sets up a repository in an empty folder, and does the first issue', () => {
  const started = join(folder, 'started');
  mkdirSync(started);
  git(folder, 'clone', '--quiet', '--bare', 'seed', join(folder, 'other.git'));
  const bin = join(folder, 'node_modules', '.bin', 'aiops');
  const init = ['init', '--yes', '--agent', 'mock', '--repo', '../other.git', '--example'];
  expect(run(started, bin, ...init)).toContain('Next:\n  aiops worker\n');
  const schema = /\$schema=(\S+)/.exec(readFileSync(join(started, 'WORKFLOW.md'), 'utf8'))?.[1] ?? '';
  expect(schema).toBe('../node_modules/aiops-platform/schema/workflow.schema.json');
  expect(readJson(started, schema).title).toBe(readJson(root, 'schema', 'workflow.schema.json').title);
  const { runs } = JSON.parse(run(started, bin, 'worker', '--once', '--json'));
  expect(runs).toMatchObject([{ issue_identifier: 'TASK-1', outcome: 'delivered', pushed: true }]);
  expect(branches(join(folder, 'other.git'))).toEqual(['ai/TASK-1', 'main']);
});

const PROGRAM = `
import { ApiError, createClient } from 'aiops-platform/client';
import { reduce } from 'aiops-platform/contract/reduce';
import openapi from 'aiops-platform/schema/openapi.json' with { type: 'json' };

const client = createClient({ baseUrl: 'http://127.0.0.1:9', fetch });
const running: number | null = await client.state().then(
  (state) => state.counts.running,
  (error: unknown) => (error instanceof ApiError ? null : Promise.reject(error)),
);
// @ts-expect-error the contract has no such field
const nothing = () => client.state().then((state) => state.nothing);
console.log(JSON.stringify([running, typeof reduce, typeof nothing, openapi.openapi]));
`;

test('other programs can use its typed client and its description of the API', () => {
  writeFileSync(join(folder, 'use.ts'), PROGRAM);
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    resolveJsonModule: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  expect(run(folder, process.execPath, compiler, '-p', 'tsconfig.json')).toBe('');
  const printed = JSON.parse(run(folder, process.execPath, 'use.js'));
  expect(printed).toEqual([null, 'function', 'function', expect.stringMatching(/^3\./)]);
});
