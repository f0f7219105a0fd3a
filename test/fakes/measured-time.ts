import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** What the reference takes on a quiet machine of two cores. */
const REFERENCE_MS = 5;

/** CPU time that this process spends on the work: other processes do not lengthen it. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/**
 * CPU time of the work as a quiet machine would need it: compared with a fixed piece of work done before and after it, so
 * that neither a busy nor a slow machine makes a difference.
 */
export async function quietCpuMs(work: () => unknown): Promise<number> {
  const references: number[] = [];
  const measureReference = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) references.push(await cpuMs(compute));
  };
  await measureReference();
  const spent = await cpuMs(work);
  await measureReference();
  return (spent * REFERENCE_MS) / Math.min(...references);
}

function compute(): number {
  let value = 1;
  for (let n = 0; n < 4_000_000; n += 1) value = (Math.imul(value, 48_271) + n) | 0;
  return value;
}

/**
 * Wall time of work that waits for timers and files, and how much of it the machine may be to blame for: the longest time
 * that a timer of a millisecond and one look at a file took meanwhile, twenty times over.
 */
export async function wallMs(work: () => Promise<unknown>): Promise<{ took: number; stalled: number }> {
  let isOver = false;
  let longest = 0;
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now();
      await delay(1);
      await stat('.');
      longest = Math.max(longest, performance.now() - started);
    }
  })();
  const started = performance.now();
  await work();
  const took = performance.now() - started;
  isOver = true;
  await watching;
  return { took, stalled: 20 * longest };
}
