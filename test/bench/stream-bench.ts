import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { StateSnapshot } from '../../src/contract/state.ts';
import type { WorkflowSections } from '../e2e/cli/fixture.ts';
import { waitFor } from '../e2e/cli/wait.ts';
import { fakeCodexCommand } from '../fakes/codex/settings.ts';
import { memoryOf } from './memory-of.ts';
import { reportFigures } from './report-figures.mjs';
import { withWorker } from './with-worker.ts';

const STREAM_MB = Number(process.env['AIOPS_BENCH_STREAM_MB'] ?? 500);
const MAX_GROWTH_MB = 30;
const SESSIONS = 10;
const EVENTS_PER_SECOND = 200;
const READS = Number(process.env['AIOPS_BENCH_READS'] ?? 1_000);
const MAX_P99_MS = 20;

/** A workflow whose every agent is the fake app-server in this scenario. */
function scenarioOf(name: string, ...options: string[]): WorkflowSections {
  return {
    agent: { default: 'codex-app-server', max_concurrent_agents: SESSIONS },
    codex: { command: fakeCodexCommand(name, ...options), read_timeout_ms: 60_000 },
  };
}

interface Flood {
  readonly seconds: number;
  /** When the agent had just begun. */
  readonly start: number;
  readonly peak: number;
  readonly outcome: string;
}

/** One run that prints this much; the memory of the worker is looked at all the time. */
async function flood(megabytes: number): Promise<Flood> {
  return withWorker(
    scenarioOf('stream', '--megabytes', String(megabytes)),
    async ({ fixture, worker, state }) => {
      await fixture.writeIssue('FLOOD-1');
      await waitFor('the agent runs', async () => (await state()).running.length > 0);
      const begun = performance.now();
      const samples = [memoryOf(worker.pid)];
      let ended: StateSnapshot['ended'][number] | undefined;
      while (ended === undefined) {
        await delay(50);
        samples.push(memoryOf(worker.pid));
        ended = (await state()).ended[0];
      }
      return {
        seconds: (performance.now() - begun) / 1000,
        start: samples[0] ?? 0,
        peak: Math.max(...samples),
        outcome: ended.outcome,
      };
    },
  );
}

/** Seconds of processor time so far. */
function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** How long reading the state takes while many agents talk. */
async function readUnderLoad(): Promise<{ p50: number; p99: number; share: number }> {
  return withWorker(
    scenarioOf('steady', '--rate', String(EVENTS_PER_SECOND)),
    async ({ fixture, worker, url, state }) => {
      for (let at = 1; at <= SESSIONS; at += 1) await fixture.writeIssue(`LIVE-${at}`);
      await waitFor(
        'all agents talk',
        async () => (await state()).running.filter((row) => row.last_message !== '').length === SESSIONS,
        { withinMs: 120_000 },
      );
      const begun = { at: performance.now(), used: processorTimeOf(worker.pid) };
      const times: number[] = [];
      for (let at = 0; at < READS; at += 1) {
        const started = performance.now();
        await (await fetch(`${url}/api/v1/state`)).arrayBuffer();
        times.push(performance.now() - started);
        await delay(10);
      }
      times.sort((a, b) => a - b);
      const share = (processorTimeOf(worker.pid) - begun.used) / ((performance.now() - begun.at) / 1000);
      return { p50: times[Math.floor(READS * 0.5)] ?? 0, p99: times[Math.floor(READS * 0.99)] ?? 0, share };
    },
  );
}

/** `npm run bench:stream` floods a real worker and prints a table; the exit code is 1 when a bound is broken. */
process.exitCode = await runBenchmark();

async function runBenchmark(): Promise<number> {
  const stream = await flood(STREAM_MB);
  const load = await readUnderLoad();
  const growth = stream.peak - stream.start;
  const row = (label: string, value: string, bound = ''): void =>
    console.log(`${label.padEnd(58)} ${value.padStart(12)}   ${bound}`.trimEnd());
  row('memory of the worker as the agent begins', `${stream.start.toFixed(0)} MB`);
  row(`at most, ${STREAM_MB} MB of events`, `${stream.peak.toFixed(0)} MB`);
  row('growth with the stream', `${growth.toFixed(0)} MB`, `< ${MAX_GROWTH_MB} MB`);
  row('speed', `${(STREAM_MB / stream.seconds).toFixed(0)} MB/s`);
  row('the end of the stream', stream.outcome, 'no_progress: the agent said that it is done');
  row(`state, ${SESSIONS} agents at ${EVENTS_PER_SECOND} events/s, median`, `${load.p50.toFixed(1)} ms`);
  row('state, p99', `${load.p99.toFixed(1)} ms`, `< ${MAX_P99_MS} ms on a machine that is otherwise idle`);
  row('processor time of the worker meanwhile', `${(load.share * 100).toFixed(0)} %`);
  reportFigures({
    'stream.growth': growth,
    'stream.speed': STREAM_MB / stream.seconds,
    'stream.stateP99': load.p99,
    'stream.cpu': load.share * 100,
  });
  return growth < MAX_GROWTH_MB && stream.outcome === 'no_progress' ? 0 : 1;
}
