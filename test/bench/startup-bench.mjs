import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root, runProgram, SetupError } from '../../scripts/lib/program.mjs';
import { ensureBuilt, ensureInstalled } from '../../scripts/prepare.mjs';
import { reportFigures } from './report-figures.mjs';

/**
 * How long a person waits: for the version, for the answer that no worker runs, from the command to `/readyz`, and from a saved
 * issue file to the agent's process. Printed beside the start-up of an empty Node program in the same run, because the machine is part of every figure.
 */
const GIVE_UP_MS = 30_000;
const LOOK_EVERY_MS = 2;
const CLOCK_TICKS_PER_SECOND = 100;
const cli = join(root, 'dist', 'program', 'aiops.js');

await runProgram(async () => {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '10' } } });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new SetupError('give --runs a whole number from 1');
  await ensureInstalled();
  await ensureBuilt();
  const fixture = createFixture();
  try {
    const rounds = [];
    // All figures of a round are taken one after the other, so that a busy moment of the machine is in each of them.
    for (let number = 1; number <= runs; number += 1)
      rounds.push(await measureRound(fixture, `BENCH-${number}`));
    printTable(
      [
        ['node -e 0 (baseline)', 'node'],
        ['aiops --version', 'version'],
        ['aiops status, no worker', 'status'],
        ['aiops status, with a worker', 'statusAsked'],
        ['aiops --help', 'help'],
        ['aiops worker -> /readyz, first start', 'firstStart'],
        ['aiops worker -> /readyz, restart', 'restart'],
        ['issue saved -> agent process started', 'processStarted'],
        ['issue saved -> agent session in the API', 'sessionSeen'],
      ].map(([name, key]) => [name, rounds.map((round) => round[key]).filter((figure) => figure !== null)]),
    );
    const of = (key) => rounds.map((round) => round[key]);
    const ratio = (key) => least(of(key)) / least(of('node'));
    const cpuRatio = (key) => used(of(key)) / used(of('node'));
    reportFigures({
      'start.version': ratio('version'),
      'start.versionCpu': cpuRatio('version'),
      'start.status': ratio('status'),
      'start.statusCpu': cpuRatio('status'),
      'start.statusAsked': ratio('statusAsked'),
      'start.help': ratio('help'),
      'start.ready': ratio('restart'),
      'start.readyCpu': cpuRatio('restart'),
    });
  } finally {
    rmSync(fixture.directory, { recursive: true, force: true, maxRetries: 5 });
  }
  return 0;
});

/** What it takes when nothing else is in its way. */
function least(figures) {
  return Math.min(...figures.map(({ wall }) => wall));
}

/** Each is too short for the clock behind it; their sum is not. */
function used(figures) {
  return figures.reduce((sum, { cpu }) => sum + cpu, 0) / figures.length;
}

async function measureRound(fixture, id) {
  const node = await measureProgram(fixture, ['-e', '0']);
  const version = await measureProgram(fixture, [cli, '--version']);
  const help = await measureProgram(fixture, [cli, '--help']);
  const status = await measureProgram(fixture, [cli, 'status']);
  for (const name of ['workspaces', 'mirrors'])
    rmSync(join(fixture.directory, name), { recursive: true, force: true });
  const first = await startWorker(fixture);
  let figures;
  let statusAsked;
  try {
    figures = await measureIssue(fixture, first, id);
    statusAsked = await measureProgram(fixture, [cli, 'status']);
  } finally {
    await first.stop();
  }
  const second = await startWorker(fixture);
  await second.stop();
  return {
    node,
    version,
    help,
    status,
    statusAsked,
    firstStart: first.ready,
    restart: second.ready,
    ...figures,
  };
}

function createFixture() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'aiops-bench-')));
  const remote = join(directory, 'remote.git');
  const seed = join(directory, 'seed');
  const env = { PATH: process.env.PATH, HOME: join(directory, 'home'), TMPDIR: directory, LANG: 'C.UTF-8' };
  for (const name of ['home', 'issues', 'seed']) mkdirSync(join(directory, name));
  const git = (cwd, ...args) => execFileSync('git', args, { cwd, env, stdio: 'ignore' });
  git(directory, 'init', '-q', '--bare', '-b', 'main', remote);
  git(seed, 'init', '-q', '-b', 'main');
  writeFileSync(join(seed, 'README.md'), '# A small project\n');
  git(seed, 'add', '.');
  const identity = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.invalid'];
  git(seed, ...identity, 'commit', '-q', '-m', 'Begin');
  git(seed, 'push', '-q', remote, 'main');
  const workflow = {
    tracker: { kind: 'local', path: 'issues' },
    repo: { clone_url: remote, default_branch: 'main' },
    workspace: { root: 'workspaces', mirror_root: 'mirrors' },
    agent: { default: 'mock' },
  };
  // JSON is YAML, too.
  writeFileSync(join(directory, 'WORKFLOW.md'), `---\n${JSON.stringify(workflow, null, 1)}\n---\nDo it.\n`);
  return { directory, env };
}

/** Wall time, and processor time: a busy machine draws out the long ones of the former, and spares the short. */
async function measureProgram({ directory, env }, args) {
  const started = performance.now();
  const usedBefore = processorTime('self', 13);
  await exitOf(spawn(process.execPath, args, { cwd: directory, env, stdio: 'ignore' }));
  return { wall: performance.now() - started, cpu: processorTime('self', 13) - usedBefore };
}

/** Milliseconds of a process (`field` 11), or of its children that have ended (13), to 10 ms; NaN without a /proc. */
function processorTime(pid, field) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[field]) + Number(fields[field + 1])) / CLOCK_TICKS_PER_SECOND) * 1000;
  } catch {
    return Number.NaN;
  }
}

async function startWorker(fixture) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [cli, 'worker', '--port', String(port)], {
    cwd: fixture.directory,
    env: fixture.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log = (log + text).slice(-10_000);
  });
  const exited = exitOf(child);
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
  await until(
    'the worker is ready',
    async () => child.exitCode === null && (await isReady()),
    () => log,
  );
  return {
    url,
    ready: { wall: performance.now() - started, cpu: processorTime(child.pid, 11) },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The worker is idle, and the repository is new to it. */
async function measureIssue(fixture, worker, id) {
  const savedAt = saveIssue(fixture, id);
  const row = await until(`${id} runs`, async () => {
    const { running } = await readState(worker.url);
    return running.find((run) => run.issue_identifier === id && run.codex_app_server_pid !== undefined);
  });
  const sessionSeen = now() - savedAt;
  const startedAt = processStart(row.codex_app_server_pid);
  await until(`${id} ends`, async () => (await readState(worker.url)).running.length === 0);
  return {
    sessionSeen: { wall: sessionSeen, cpu: Number.NaN },
    processStarted: startedAt === null ? null : { wall: startedAt - savedAt, cpu: Number.NaN },
  };
}

/** Saved in one step, as editors do; the instant is taken just before the file gets its name. */
function saveIssue(fixture, id) {
  const path = join(fixture.directory, 'issues', `${id}.md`);
  const script = '```mock\nstep_ms: 100\n```';
  writeFileSync(`${path}~`, `---\ntitle: Measure ${id}\nstate: Todo\n---\n\n${script}\n`);
  const savedAt = now();
  renameSync(`${path}~`, path);
  return savedAt;
}

async function readState(url) {
  return (await fetch(`${url}/api/v1/state`)).json();
}

/** When the kernel started the process, to 10 ms; null where there is no /proc. */
function processStart(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const uptimeMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
    return now() - (uptimeMs - (ticks / CLOCK_TICKS_PER_SECOND) * 1000);
  } catch {
    return null;
  }
}

function now() {
  return performance.timeOrigin + performance.now();
}

async function until(what, look, log = () => '') {
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new SetupError(`gave up waiting until ${what}\n${log()}`);
    await delay(LOOK_EVERY_MS);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

function printTable(rows) {
  const [[, base]] = rows;
  const measured = rows.filter(([, figures]) => figures.length > 0);
  const table = measured.map(([name, figures]) => {
    const walls = figures.map(({ wall }) => wall);
    const cells = [figures.length, percentile(walls, 0.5), percentile(walls, 0.95), least(figures)];
    const cpu = used(figures) / used(base);
    return [
      name,
      ...cells.map((cell) => cell.toFixed(0)),
      `${(least(figures) / least(base)).toFixed(1)}x`,
      Number.isNaN(cpu) ? '' : `${cpu.toFixed(1)}x`,
    ];
  });
  const all = [
    ['', 'runs', 'median ms', 'p95 ms', 'least ms', 'least / node', 'processor time / node'],
    ...table,
  ];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ');
  console.log(all.map(line).join('\n'));
}

/** Nearest rank. */
function percentile(figures, share) {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
