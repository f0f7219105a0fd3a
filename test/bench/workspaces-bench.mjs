// Ten workspaces at once from one repository, three ways, in one run:
//   plain     a full `git clone` for each issue
//   fetching  a mirror that every dispatch fetches first, one after the other, then `git clone --shared`
//   shared    what the worker does
// The repository has 20,000 files and a history several times their size, as long-lived ones have. Exits with 1 when
// the worker needs more than one fetch, or more than a fifth of the plain clones' time or disk.
// Other sizes: BENCH_FILES, BENCH_COMMITS, BENCH_ASSETS_MB, BENCH_ISSUES and BENCH_ROUNDS.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { reportFigures } from './report-figures.mjs';

const run = promisify(execFile);
const FILES = Number(process.env.BENCH_FILES ?? 20_000);
const COMMITS = Number(process.env.BENCH_COMMITS ?? 4_000);
const ASSETS_MB = Number(process.env.BENCH_ASSETS_MB ?? 400);
const ISSUES = Number(process.env.BENCH_ISSUES ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const GOAL = 5;

const dist = join(dirname(fileURLToPath(import.meta.url)), '../../dist');
if (!existsSync(join(dist, 'workspaces/create-workspaces.js'))) {
  console.error('dist/ is missing: run `npm run build` first.');
  process.exit(2);
}
const { createWorkspaces } = await import(join(dist, 'workspaces/create-workspaces.js'));
const { silentLogger } = await import(join(dist, 'observability/logger.js'));

const base = realpathSync(mkdtempSync(join(tmpdir(), 'workspaces-bench-')));
const environment = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
const git = (cwd, ...args) => run('git', args, { cwd, env: environment, maxBuffer: 64 * 1024 * 1024 });

try {
  process.exitCode = await bench();
} finally {
  remove(base);
}

async function bench() {
  const remote = await buildRemote();
  const url = pathToFileURL(remote).href;
  const ids = range(ISSUES).map((index) => `ENG-${index + 1}`);
  const baseline = await createBaselineMirror(url);
  const worker = createWorker(url);
  const cold = await worker.prepare('shared, cold (first clone)', 'cold', ['FIRST']);
  const rounds = [];
  for (const round of range(ROUNDS)) {
    rounds.push(await plainClones(url, `plain-${round}`, ids));
    rounds.push(await fetchPerDispatch(baseline, `fetching-${round}`, ids));
    rounds.push(await worker.prepare('shared, warm', `shared-${round}`, ids));
    rounds.push(await worker.prepare('shared, continued', `shared-${round}`, ids));
    for (const name of ['plain', 'fetching', 'shared']) remove(join(base, `${name}-${round}`));
  }
  const results = [...new Set(rounds.map(({ name }) => name))].map((name) => fastest(rounds, name));
  print([...results, cold]);
  const [plain] = results;
  const warm = results.find(({ name }) => name === 'shared, warm');
  const faster = plain.seconds / warm.seconds;
  const smaller = plain.megabytes / warm.megabytes;
  const good = warm.fetches === 1 && faster >= GOAL && smaller >= GOAL;
  console.log(
    `\nAgainst plain clones, warm: ${faster.toFixed(1)} times faster, ${smaller.toFixed(1)} times smaller, ${warm.fetches} fetch.`,
  );
  reportFigures({
    'workspaces.faster': faster,
    'workspaces.smaller': smaller,
    'workspaces.fetches': warm.fetches,
  });
  console.log(
    good
      ? `Holds: at most 1/${GOAL} of time and disk, one fetch.`
      : `FAILS: wanted at most 1/${GOAL} and one fetch.`,
  );
  return good ? 0 : 1;
}

/** The best round: what a way costs when nothing else was in its way. */
function fastest(rounds, name) {
  return rounds.filter((round) => round.name === name).reduce((a, b) => (b.seconds < a.seconds ? b : a));
}

/** A bare repository as a long-lived project has it: sources edited in thousands of commits, assets replaced now and then. */
async function buildRemote() {
  const remote = join(base, 'remote.git');
  await git(base, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  const child = spawn('git', ['fast-import', '--quiet'], {
    cwd: remote,
    env: environment,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const write = async (chunk) => {
    if (!child.stdin.write(chunk)) await once(child.stdin, 'drain');
  };
  const writeFile = async (path, content) => {
    await write(`M 100644 inline ${path}\ndata ${content.length}\n`);
    await write(content);
    await write('\n');
  };
  for (let number = 0; number <= COMMITS; number += 1) {
    const message = `Change ${number}`;
    const time = 1_600_000_000 + number * 3600;
    await write(`commit refs/heads/main\ncommitter Bench <bench@example.com> ${time} +0000\n`);
    await write(`data ${message.length}\n${message}\n`);
    const changed =
      number === 0 ? range(FILES) : range(10).map((index) => (number * 7919 + index * 613) % FILES);
    for (const file of changed) await writeFile(sourcePath(file), sourceText(file, number));
    const assetsDue =
      Math.floor((number * ASSETS_MB) / COMMITS) - Math.floor(((number - 1) * ASSETS_MB) / COMMITS);
    if (number > 0 && assetsDue > 0)
      await writeFile(`assets/a${number % 5}.bin`, randomBytes(assetsDue * 1024 * 1024));
  }
  child.stdin.end();
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('the benchmark repository could not be built');
  await git(remote, 'repack', '--quiet', '-a', '-d', '-f', '--window=5');
  const { stdout } = await git(remote, 'count-objects', '-v');
  const objects = /in-pack: (\d+)/.exec(stdout)?.[1];
  const history = `${COMMITS} commits, ${objects} objects, ${megabytesOf(remote)} MB of history`;
  console.log(`Repository: ${FILES} files, ${history}. ${ISSUES} workspaces at once.\n`);
  return remote;
}

function sourcePath(file) {
  return `packages/p${file % 200}/src/module-${file}.ts`;
}

function sourceText(file, version) {
  const lines = range(20 + (file % 60)).map(
    (line) => `export const value_${file}_${line} = ${file * line};\n`,
  );
  lines[version % lines.length] = `export const changed_in_${version} = true;\n`;
  return lines.join('');
}

function range(length) {
  return Array.from({ length }, (_, index) => index);
}

async function plainClones(url, place, ids) {
  const root = join(base, place);
  mkdirSync(root);
  const seconds = await timed(() =>
    Promise.all(
      ids.map(async (id) => {
        await git(root, 'clone', '--quiet', url, id);
        await git(join(root, id), 'checkout', '--quiet', '-b', `ai/${id}`);
      }),
    ),
  );
  return { name: 'plain git clone each', seconds, megabytes: megabytesOf(root), fetches: ids.length };
}

async function createBaselineMirror(url) {
  const mirror = join(base, 'baseline-mirror.git');
  await git(base, 'clone', '--quiet', '--mirror', url, mirror);
  return mirror;
}

async function fetchPerDispatch(mirror, place, ids) {
  const root = join(base, place);
  mkdirSync(root);
  let lock = Promise.resolve();
  const seconds = await timed(() =>
    Promise.all(
      ids.map(async (id) => {
        lock = lock.then(() => git(mirror, 'fetch', '--quiet', '--prune', '--tags', 'origin'));
        await lock;
        await git(root, 'clone', '--quiet', '--shared', mirror, id);
        await git(join(root, id), 'checkout', '--quiet', '-b', `ai/${id}`);
      }),
    ),
  );
  return { name: 'mirror, fetch per dispatch', seconds, megabytes: megabytesOf(root), fetches: ids.length };
}

/** The worker's own way, over one mirror. */
function createWorker(url) {
  const trace = join(base, 'trace');
  mkdirSync(trace);
  const never = new AbortController().signal;
  const repo = { owner: null, name: null, cloneUrl: url, defaultBranch: 'main' };
  return {
    async prepare(name, place, ids) {
      const root = join(base, place);
      const workspaces = createWorkspaces({
        root,
        mirrorRoot: join(base, 'mirrors'),
        scope: { trackerKind: 'bench', trackerScope: 'bench' },
        environment: { ...environment, GIT_TRACE2_EVENT: trace },
        logger: silentLogger,
      });
      const before = fetchesIn(trace);
      let made = [];
      const seconds = await timed(async () => {
        const requests = ids.map((id) => ({ issue: { id, identifier: id }, repo, onProgress() {} }));
        made = await Promise.all(requests.map((request) => workspaces.prepare(request, never)));
      });
      for (const workspace of made) await workspaces.confirmCreated(workspace);
      return { name, seconds, megabytes: megabytesOf(root), fetches: fetchesIn(trace) - before };
    },
  };
}

function remove(path) {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

/** Writes of the phase before must not be paid for by this one. */
async function timed(work) {
  await run('sync');
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function megabytesOf(path) {
  return Math.round(Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0]) / 1024);
}

function fetchesIn(directory) {
  return readdirSync(directory)
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"event":"cmd_name"') && line.includes('"name":"fetch"')).length;
}

function print(results) {
  const [plain] = results;
  console.log('way                            seconds   time   MB       disk   fetches');
  for (const { name, seconds, megabytes, fetches } of results) {
    const time = `1/${(plain.seconds / seconds).toFixed(1)}`;
    const disk = `1/${(plain.megabytes / megabytes).toFixed(1)}`;
    const columns = [
      name.padEnd(30),
      seconds.toFixed(2).padStart(7),
      time.padStart(7),
      String(megabytes).padStart(6),
      disk.padStart(7),
    ];
    console.log([...columns, String(fetches).padStart(8)].join(' '));
  }
}
