// Takes a lock again and again and counts up a shared number inside of it, until its input ends. Arguments: the lock
// module, the folder. Prints `in <n>` and `out <n>`, and `violation …` when it finds a live process inside with it.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises';

const [, , module, folder] = process.argv;
const { acquireFileLock } = await import(module);
const counter = join(folder, 'counter');
const inside = join(folder, 'inside');
const say = (text) => writeFileSync(1, `${text}\n`);

const read = (path, otherwise) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
};
const isRunning = (pid) => {
  const stat = read(`/proc/${pid}/stat`, '');
  return stat !== '' && !/\) [ZX] /.test(stat);
};

let stopping = false;
process.stdin.resume();
process.stdin.on('end', () => {
  stopping = true;
});
while (!stopping) {
  const lock = await acquireFileLock(join(folder, 'test.lock'), { purpose: 'counting', waitMs: 20_000 });
  const before = read(inside, '');
  if (before !== '' && isRunning(before)) say(`violation: ${before} is inside as well`);
  writeFileSync(inside, String(process.pid));
  const count = Number(read(counter, '0')) + 1;
  say(`in ${count}`);
  for (let turn = 0; turn < 20; turn += 1) await immediate();
  if (read(inside, '') !== String(process.pid)) say('violation: someone came in');
  writeFileSync(`${counter}.${process.pid}`, String(count));
  renameSync(`${counter}.${process.pid}`, counter);
  rmSync(inside, { force: true });
  say(`out ${count}`);
  await lock.release();
  // Leaves the others a chance: the lock is not fair.
  await delay(20);
}
