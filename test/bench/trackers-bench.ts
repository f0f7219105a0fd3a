import { reportFigures } from './report-figures.mjs';
import { gitea, github } from './trackers-forges.ts';
import { linear } from './trackers-linear.ts';
import { type BenchSubject, type Load, type Measurement, measure } from './trackers-measure.ts';

/**
 * `npm run bench:trackers`: requests per poll with every slot taken, counted by the tests' own servers. More of them
 * than promised end the bench with an error; times are only shown.
 */
const SUBJECTS: readonly BenchSubject[] = [linear, github, gitea];
const LOADS: readonly Load[] = [
  { ready: 10, closed: 0, cap: 2 },
  { ready: 50, closed: 300, cap: 2 },
  { ready: 200, closed: 300, cap: 10 },
  { ready: 1000, closed: 2000, cap: 10 },
];

const LARGEST = LOADS.at(-1);

const COLUMNS = [
  'tracker',
  'ready',
  'cap',
  'closed',
  'first',
  'per tick',
  'limit',
  '304',
  'lookups',
  'Go worker',
  'ms/tick',
];
const WIDTHS = [8, 7, 5, 8, 7, 10, 7, 7, 9, 11, 9];

function printRow(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell, index) => String(cell).padStart(WIDTHS[index] ?? 8)).join(''));
}

function limitFor({ ready }: Load): number {
  return ready <= 50 ? 4 : 25;
}

/** What was promised and does not hold, in words. */
function broken(subject: BenchSubject, load: Load, found: Measurement): readonly string[] {
  const problems: string[] = [];
  const limit = limitFor(load);
  if (found.steady > limit) problems.push(`${found.steady} requests per tick, more than ${limit}`);
  if (found.lookups > 0) problems.push(`${found.lookups} requests per tick about issues that cannot start`);
  if (subject.conditional && found.steadyNotModified * 2 < found.steady)
    problems.push('fewer than half of its answers were "not modified"');
  return problems;
}

console.log('Per steady tick; every slot is taken. "lookups" are requests about single waiting issues.');
printRow(COLUMNS);
for (const subject of SUBJECTS) {
  for (const load of LOADS) {
    const found = await measure(subject, load);
    if (load === LARGEST) reportFigures({ [`trackers.${subject.name}`]: found.steady });
    printRow([
      subject.name,
      load.ready,
      load.cap,
      load.closed,
      found.first,
      found.steady.toFixed(1),
      limitFor(load),
      subject.conditional ? `${Math.round((100 * found.steadyNotModified) / found.steady)} %` : '-',
      found.lookups.toFixed(1),
      subject.goRequests(load),
      found.tickMs.toFixed(0),
    ]);
    for (const problem of broken(subject, load, found)) {
      console.error(`${subject.name} with ${load.ready} ready issues: ${problem}`);
      process.exitCode = 1;
    }
  }
}
