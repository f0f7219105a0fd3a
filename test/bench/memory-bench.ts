import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../e2e/cli/wait.ts';
import { memoryOf } from './memory-of.ts';
import { reportFigures } from './report-figures.mjs';
import { withWorker } from './with-worker.ts';

const IDLE_MS = 1000 * Number(process.env['BENCH_IDLE_SECONDS'] ?? 30);
const SETTLE_MS = IDLE_MS / 3;
/** Not counted: with them comes what every run shares. */
const FIRST_RUNS = 2;
const RUNS = 20;
const AGENT = fileURLToPath(new URL('./drain/stub-app-server.py', import.meta.url));
const HOUR_MS = 3_600_000;

/** The least of many looks: what stays, without the garbage of the moment. */
async function lastingMemory(pid: number): Promise<number> {
  const looks: number[] = [];
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await delay(200))
    looks.push(memoryOf(pid));
  return Math.min(...looks);
}

async function measureIdle(): Promise<number> {
  return withWorker({}, async ({ worker }) => {
    await delay(IDLE_MS);
    return lastingMemory(worker.pid);
  });
}

/** MB that each live run adds, its agent in a turn and silent. */
async function measureGrowth(): Promise<number> {
  const done = mkdtempSync(join(tmpdir(), 'memory-bench-'));
  const sections = {
    agent: { default: 'codex-app-server', max_concurrent_agents: FIRST_RUNS + RUNS },
    codex: { command: `python3 -SE ${AGENT} ${done} ${HOUR_MS}` },
  };
  try {
    return await withWorker(sections, async ({ fixture, worker, state }) => {
      const startRuns = async (from: number, to: number): Promise<number> => {
        for (let at = from; at <= to; at += 1) await fixture.writeIssue(`LIVE-${at}`);
        const inTurn = async (): Promise<boolean> =>
          (await state()).running.filter((row) => row.codex_app_server_pid !== undefined).length === to;
        await waitFor(`${to} runs are in a turn`, inTurn, { withinMs: 120_000 });
        await delay(SETTLE_MS);
        return lastingMemory(worker.pid);
      };
      const few = await startRuns(1, FIRST_RUNS);
      const many = await startRuns(FIRST_RUNS + 1, FIRST_RUNS + RUNS);
      return (many - few) / RUNS;
    });
  } finally {
    rmSync(done, { recursive: true, force: true });
  }
}

/** `npm run bench:memory`: what an idle worker takes, and what each live run adds. */
const idle = await measureIdle();
const growth = await measureGrowth();
console.log(`an idle worker, after ${IDLE_MS / 1000} s: ${idle.toFixed(0)} MB`);
console.log(`each live run, ${RUNS} at once: ${growth.toFixed(2)} MB more`);
reportFigures({ 'memory.idle': idle, 'memory.perRun': growth });
