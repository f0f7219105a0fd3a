import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { FAKE_KEY, FakeLinear } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';

export interface DrainOptions {
  readonly issues: number;
  readonly slots: number;
  readonly pollMs: number;
  readonly folder: string;
  readonly remote: string;
  readonly agent: readonly string[];
  readonly doneFolder: string;
  /** The worker's program: `dist/program/aiops.js` of this or of another version. */
  readonly program: string;
  /** Comes first on the worker's PATH. */
  readonly binFolder: string | null;
}

export interface Drain {
  readonly seconds: number;
  readonly requests: number;
  readonly peakMb: number;
  /** Of the worker's own process. */
  readonly cpuMs: number;
  /** Of its helper process, without the commands that it starts; 0 when there is none. */
  readonly helperCpuMs: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

const MAX_DRAIN_MS = 15 * 60_000;

/** A worker that starts with this many ready issues, until every one is done and its workspace is gone. */
export async function drain(options: DrainOptions): Promise<Drain> {
  const { folder, issues, doneFolder } = options;
  await mkdir(join(folder, 'home'), { recursive: true });
  await mkdir(doneFolder, { recursive: true });
  const linear = await FakeLinear.start();
  for (let count = 0; count < issues; count += 1) linear.store.addIssue({ state: 'Todo' });
  const monitor = join(folder, 'monitor.json');
  await writeFile(join(folder, 'WORKFLOW.md'), workflowText(options, linear.url));
  const moved = new Set<string>();
  const moveDone = (): void => {
    for (const name of readdirSync(doneFolder)) {
      if (moved.has(name)) continue;
      moved.add(name);
      linear.store.move(linear.store.issue(name).id, 'Done');
    }
  };
  const watcher = watch(doneFolder, moveDone);
  const worker = startWorker(options, monitor);
  try {
    await until(worker, () => linear.requests.length > 0, 'the first request');
    // What the start itself costs is another bench.
    worker.kill('SIGUSR2');
    const started = performance.now();
    const workspaces = join(folder, 'workspaces');
    const left = (): number =>
      existsSync(workspaces) ? readdirSync(workspaces).filter((name) => /^ENG-\d+$/.test(name)).length : 0;
    await until(worker, () => moved.size === issues && left() === 0, 'an empty workspace root');
    const seconds = (performance.now() - started) / 1000;
    const peakMb = peakOf(worker.pid ?? 0);
    const requests = linear.requests.length;
    const helperCpuMs = helperCpuOf(worker.pid ?? 0);
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    const { cpuMs, p99Ms, maxMs } = JSON.parse(readFileSync(monitor, 'utf8'));
    return { seconds, requests, peakMb, cpuMs, helperCpuMs, delayP99Ms: p99Ms, delayMaxMs: maxMs };
  } finally {
    watcher.close();
    if (worker.exitCode === null) worker.kill('SIGKILL');
    await linear.stop();
  }
}

function workflowText({ slots, pollMs, remote, agent }: DrainOptions, endpoint: string): string {
  const settings = {
    tracker: {
      kind: 'linear',
      endpoint,
      project_slug: PROJECT_SLUG,
      active_states: ['Todo', 'In Progress'],
      terminal_states: ['Done', 'Cancelled'],
    },
    repo: { clone_url: remote, default_branch: 'main' },
    workspace: { root: 'workspaces', mirror_root: 'mirrors', min_free_mb: 0 },
    agent: { default: 'codex-app-server', max_concurrent_agents: slots },
    codex: { command: agent.join(' ') },
    polling: { interval_ms: pollMs },
  };
  return `---\n${stringify(settings)}---\nWork on {{ issue.identifier }}: {{ issue.title }}\n`;
}

function startWorker({ folder, program, binFolder }: DrainOptions, monitor: string): ChildProcess {
  const path = process.env['PATH'] ?? '';
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('./loop-monitor.mjs', import.meta.url).href,
      program,
      'worker',
      '--port',
      '0',
      join(folder, 'WORKFLOW.md'),
    ],
    {
      cwd: folder,
      env: {
        PATH: binFolder === null ? path : `${binFolder}:${path}`,
        HOME: join(folder, 'home'),
        LANG: 'C.UTF-8',
        TMPDIR: process.env['TMPDIR'] ?? '/tmp',
        LINEAR_API_KEY: FAKE_KEY,
        BENCH_MONITOR_FILE: monitor,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const log = createWriteStream(join(folder, 'worker.log'));
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  return child;
}

async function until(worker: ChildProcess, holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + MAX_DRAIN_MS;
  while (!holds()) {
    if (worker.exitCode !== null)
      throw new Error(`the worker ended before ${what}; its log is in worker.log`);
    if (performance.now() > deadline) throw new Error(`the worker never came to ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** A clock tick of `/proc`, which is the same on every Linux that Node runs on. */
const TICK_MS = 10;

function helperCpuOf(workerPid: number): number {
  const list = `/proc/${workerPid}/task/${workerPid}/children`;
  return (existsSync(list) ? readFileSync(list, 'utf8') : '')
    .split(' ')
    .filter((pid) => pid !== '')
    .map((pid) => {
      const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
      try {
        if (!read('cmdline').includes('helper.js')) return 0;
        const fields = read('stat')
          .replace(/^.*\) /s, '')
          .split(' ');
        return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
      } catch {
        return 0;
      }
    })
    .reduce((sum, ms) => sum + ms, 0);
}
