import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

/** `npm run simulate -- [--seeds N] [--from N] [--seed N]`: a seed that fails prints how to replay it. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
if (!Number.isInteger(first) || !Number.isInteger(count) || count < 1) {
  console.error('simulate: --seeds, --from and --seed take whole numbers');
  process.exit(2);
}

/** On a terminal one line that changes; elsewhere a line now and then, so that a log shows that it goes on. */
const PROGRESS = { seeds: process.stderr.isTTY ? 50 : 500, ms: 30_000 };

let failed = 0;
let told = { done: 0, at: performance.now() };
function tellProgress(done: number): void {
  if (done - told.done < PROGRESS.seeds && performance.now() - told.at < PROGRESS.ms) return;
  told = { done, at: performance.now() };
  const text = `${done} of ${count} seeds, ${failed} failed`;
  process.stderr.write(process.stderr.isTTY ? `\r${text}` : `${text}\n`);
}

const sums = { delivered: 0, blocked: 0, lives: 0 };
for (let seed = first; seed < first + count; seed += 1) {
  const result = await simulate(seed);
  sums.delivered += result.delivered;
  sums.blocked += result.blocked;
  sums.lives += result.lives;
  if (result.problems.length > 0) {
    failed += 1;
    console.log(`seed ${seed} broke a promise:\n  ${result.problems.slice(0, 5).join('\n  ')}`);
    console.log(`replay it with: npm run simulate -- --seed ${seed}`);
  }
  tellProgress(seed - first + 1);
}
if (process.stderr.isTTY) process.stderr.write('\n');
console.log(`${sums.delivered} issues delivered, ${sums.blocked} held, ${sums.lives} worker lives`);
console.log(`${count - failed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed === 0 ? 0 : 1;
