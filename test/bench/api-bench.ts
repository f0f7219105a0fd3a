import { type ChildProcess, fork } from 'node:child_process';
import { Agent, get } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportFigures } from './report-figures.mjs';

/**
 * `npm run bench:api`: 200 clients follow the events and 200 requests a second ask for the state, while ten agents stream
 * 200 events a second each and 1,000 finished runs are on record. Prints what the worker's own scheduling felt of it.
 */
const CLIENTS = Number(process.env['BENCH_CLIENTS'] ?? 200);
const REQUESTS_PER_SECOND = 200;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 15);

interface Report {
  readonly emitted: number;
  readonly scheduling: readonly number[];
  readonly timers: readonly number[];
  readonly cpu: { readonly user: number; readonly system: number };
  readonly rss: number;
}

const here = dirname(fileURLToPath(import.meta.url));
const start = (part: string): ChildProcess =>
  fork(join(here, '../../scripts/run-typescript.mjs'), [`test/bench/api-${part}.ts`], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
const worker = start('worker');
const clients = start('followers');

interface ClientReport {
  readonly events: readonly number[];
  readonly gaps: number;
  readonly ended: number;
  readonly sizes: readonly number[];
}

function next<T extends object>(child: ChildProcess, type: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: T & { type: string }): void => {
      if (message.type !== type) return;
      child.off('message', onMessage);
      resolve(message);
    };
    child.on('message', onMessage);
    child.once('exit', (code) => reject(new Error(`the worker of the benchmark ended with ${code}`)));
  });
}

async function report<T extends object>(child: ChildProcess): Promise<T> {
  const answer = next<T>(child, 'report');
  child.send({ type: 'report' });
  return answer;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks at a fixed rate whatever the answers take: a late answer does not thin out the load. */
async function askState(url: string, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < seconds * REQUESTS_PER_SECOND; n += 1) {
    const due = began + (n * 1000) / REQUESTS_PER_SECOND;
    const early = due - performance.now();
    if (early > 1) await wait(early);
    const start = performance.now();
    pending.push(
      new Promise((resolve) => {
        get(`${url}/api/v1/state`, { agent }, (response) => {
          response.on('data', () => {});
          response.on('end', () => {
            times.push(performance.now() - start);
            resolve();
          });
        }).on('error', () => {
          times.push(Number.POSITIVE_INFINITY);
          resolve();
        });
      }),
    );
  }
  await Promise.all(pending);
  agent.destroy();
  return times;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

function row(name: string, values: readonly number[]): string {
  const cells = [0.5, 0.9, 0.99, 1].map((q) => `${quantile(values, q).toFixed(2)} ms`.padStart(11));
  return `${name.padEnd(34)}${cells.join('')}`;
}

const ready = next<{ url: string; agents: number }>(worker, 'ready');
await next(clients, 'ready');
const { url, agents } = await ready;
worker.send({ type: 'stream' });
await wait(500);
// Both sides have run hot before anything counts.
await askState(url, 2);

worker.send({ type: 'measure' });
await wait(3_000);
const alone = await report<Report>(worker);
const cpuAlone = (await report<Report>(worker)).cpu;
const askedAlone = await askState(url, 3);
const cpuAsked = (await report<Report>(worker)).cpu;

clients.send({ type: 'follow', url, clients: CLIENTS });
await wait(2_000);
const cpuBefore = (await report<Report>(worker)).cpu;
worker.send({ type: 'measure' });
const began = performance.now();
const asked = await askState(url, SECONDS);
const busy = await report<Report>(worker);
const elapsed = (performance.now() - began) / 1000;
worker.send({ type: 'still' });
await wait(1_500);

const { events, gaps, ended, sizes } = await report<ClientReport>(clients);
const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
const cpu = (busy.cpu.user + busy.cpu.system - cpuBefore.user - cpuBefore.system) / 1e6 / elapsed;
const load = loadavg()[0]?.toFixed(1);
console.log(
  `${agents} agents x 200 events/s, 1,000 finished runs, ${CLIENTS} stream clients, ${REQUESTS_PER_SECOND} requests/s, ${SECONDS} s`,
);
console.log(`machine: ${availableParallelism()} cores, load average ${load}\n`);
console.log(`${''.padEnd(34)}${['p50', 'p90', 'p99', 'max'].map((name) => name.padStart(11)).join('')}`);
console.log(row('GET /api/v1/state, no streams', askedAlone));
console.log(row('GET /api/v1/state, under load', asked));
console.log(row('one fact through the scheduler', alone.scheduling));
console.log(row('  the same under load', busy.scheduling));
console.log(row('lateness of a timer', alone.timers));
console.log(row('  the same under load', busy.timers));
console.log(`\nevents per counting client: ${Math.min(...events)} to ${Math.max(...events)}; lost: ${gaps}`);
console.log(`streams ended: ${ended}; bytes per client: ${Math.min(...sizes)} to ${Math.max(...sizes)}`);
console.log(
  `sent to stream clients: ${megabytes.toFixed(0)} MB; worker: ${(cpu * 100).toFixed(0)} % of a core, ${(busy.rss / 1e6).toFixed(0)} MB`,
);
const spent = (cpuAsked.user + cpuAsked.system - cpuAlone.user - cpuAlone.system) / 1e3 / askedAlone.length;
console.log(`processor time per GET /api/v1/state, streaming agents included: ${spent.toFixed(2)} ms`);
reportFigures({
  'api.underLoad': quantile(asked, 0.5) / quantile(askedAlone, 0.5),
  'api.cpuPerRead': spent,
  'api.timersP99': quantile(busy.timers, 0.99),
  'api.lost': gaps,
});
for (const child of [worker, clients]) child.send({ type: 'end' });
