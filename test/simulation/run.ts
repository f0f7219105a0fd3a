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

let failed = 0;
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
  const done = seed - first + 1;
  if (process.stderr.isTTY && done % 50 === 0) process.stderr.write(`\r${done} of ${count}`);
}
console.log(`${sums.delivered} issues delivered, ${sums.blocked} held, ${sums.lives} worker lives`);
console.log(`${count - failed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed === 0 ? 0 : 1;
