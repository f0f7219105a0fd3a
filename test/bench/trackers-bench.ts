import { gitea, github } from './trackers-forges.ts';
import { type BenchSubject, type Load, measure } from './trackers-harness.ts';
import { linear } from './trackers-linear.ts';

/** `npm run bench:trackers`: requests per poll with every slot taken, counted by the tests' own servers. */
const SUBJECTS: readonly BenchSubject[] = [linear, github, gitea];
const LOADS: readonly Load[] = [
  { ready: 10, closed: 0, cap: 2 },
  { ready: 50, closed: 300, cap: 2 },
  { ready: 200, closed: 300, cap: 10 },
  { ready: 1000, closed: 2000, cap: 10 },
];

const COLUMNS = [
  'tracker',
  'ready',
  'cap',
  'closed',
  'first',
  'per tick',
  '304',
  'limit',
  'Go worker',
  'ms/tick',
];
const WIDTHS = [10, 6, 5, 7, 6, 9, 5, 6, 10, 8];

function printRow(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell, index) => String(cell).padStart(WIDTHS[index] ?? 8)).join(''));
}

printRow(COLUMNS);
for (const subject of SUBJECTS) {
  for (const load of LOADS) {
    const found = await measure(subject, load);
    const limit = subject.limit(load);
    printRow([
      subject.name,
      load.ready,
      load.cap,
      load.closed,
      found.first,
      found.steady.toFixed(1),
      found.steadyNotModified.toFixed(1),
      limit,
      subject.goRequests(load),
      found.tickMs.toFixed(0),
    ]);
    if (found.steady > limit) {
      console.error(`${subject.name}: more than ${limit} requests per tick with ${load.ready} ready issues`);
      process.exitCode = 1;
    }
  }
}
