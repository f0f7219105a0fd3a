// Loaded into the worker by `node --import`: on its exit it writes down how late its event loop was and what it used since it
// got SIGUSR2.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
let usedBefore = process.cpuUsage();
process.on('SIGUSR2', () => {
  delay.reset();
  usedBefore = process.cpuUsage();
});
process.on('exit', () => {
  const { user, system } = process.cpuUsage(usedBefore);
  writeFileSync(
    process.env.BENCH_MONITOR_FILE,
    JSON.stringify({
      p50Ms: delay.percentile(50) / 1e6 - RESOLUTION_MS,
      p99Ms: delay.percentile(99) / 1e6 - RESOLUTION_MS,
      maxMs: delay.max / 1e6 - RESOLUTION_MS,
      cpuMs: (user + system) / 1000,
    }),
  );
});
