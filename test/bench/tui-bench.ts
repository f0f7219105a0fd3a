import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * `npm run bench:tui`: `aiops tui` in a real terminal of 120 by 40, on a worker whose ten agents say 20 things a second each;
 * first the board, then an open issue with its live transcript. Prints the share of one core it takes, and its heap after a
 * collection at the beginning and at the end.
 */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
const MOST_CPU = 15;
/** Half of what the heap of a fresh board is: a leak of one text per event passes it within a minute. */
const MOST_GROWTH_MB = 5;
const TICKS_PER_SECOND = 100;

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'aiops-tui-bench-'));
const heapFile = join(scratch, 'heap');
const env = { ...process.env, TMUX_TMPDIR: scratch, BENCH_HEAP_FILE: heapFile, BENCH_EVENTS: '20' };

function tmux(...args: readonly string[]): string {
  return execFileSync('tmux', ['-L', 'bench', '-f', '/dev/null', '-u', ...args], { env, encoding: 'utf8' });
}

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function heapMb(pid: number): Promise<number> {
  rmSync(heapFile, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 100; tries += 1) {
    await delay(50);
    try {
      const text = readFileSync(heapFile, 'utf8');
      if (text !== '') return Number(text) / 1e6;
    } catch {
      // Not written yet.
    }
  }
  throw new Error('the board does not answer');
}

interface Measure {
  readonly what: string;
  readonly cpu: number;
  readonly heap: readonly [before: number, after: number];
  readonly rss: number;
}

async function measure(what: string, pid: number): Promise<Measure> {
  await delay(5_000);
  const before = await heapMb(pid);
  const [cpu, at] = [cpuSeconds(pid), performance.now()];
  await delay(SECONDS * 1000);
  const share = ((cpuSeconds(pid) - cpu) / ((performance.now() - at) / 1000)) * 100;
  const after = await heapMb(pid);
  const [, rss = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { what, cpu: share, heap: [before, after], rss: Number(rss) / 1000 };
}

function nextMessage(child: ChildProcess): Promise<{ readonly url: string }> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }));
    child.once('exit', (code) => reject(new Error(`the worker of the benchmark ended with ${code}`)));
  });
}

const worker = fork(join(root, 'scripts/run-typescript.mjs'), ['test/bench/api-worker.ts'], {
  cwd: root,
  env,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
try {
  const { url } = await nextMessage(worker);
  worker.send({ type: 'stream' });
  const program = [
    process.execPath,
    '--expose-gc',
    '--require',
    join(here, 'tui-heap.cjs'),
    join(root, 'dist/program/aiops.js'),
  ];
  const command = [...program, 'tui', '--url', url].map((word) => `'${word}'`).join(' ');
  tmux('new-session', '-d', '-x', '120', '-y', '40', `exec ${command}`);
  const pid = Number(tmux('display-message', '-p', '#{pane_pid}'));
  for (let tries = 0; !tmux('capture-pane', '-p').includes('● live'); tries += 1) {
    if (tries > 200) throw new Error(`the board does not come up:\n${tmux('capture-pane', '-p')}`);
    await delay(100);
  }
  const results = [await measure('the board', pid)];
  tmux('send-keys', 'Enter');
  results.push(await measure('an open issue', pid));
  const load = loadavg()[0]?.toFixed(1);
  process.stdout.write(
    `10 agents x 20 events/s, ${SECONDS} s each, ${availableParallelism()} cores, load ${load}\n`,
  );
  for (const { what, cpu, heap, rss } of results) {
    const growth = heap[1] - heap[0];
    const ok = cpu <= MOST_CPU && growth <= MOST_GROWTH_MB;
    process.stdout.write(
      `${ok ? 'ok  ' : 'OVER'} ${what.padEnd(14)} ${cpu.toFixed(1)} % of one core (at most ${MOST_CPU}), heap ${heap[0].toFixed(1)} -> ${heap[1].toFixed(1)} MB, ${rss.toFixed(0)} MB resident\n`,
    );
  }
} finally {
  worker.send({ type: 'end' });
  try {
    tmux('kill-server');
  } catch {
    // It had not been started.
  }
  rmSync(scratch, { recursive: true, force: true });
}
