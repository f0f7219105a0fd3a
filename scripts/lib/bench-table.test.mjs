import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BENCHES } from './bench-rows.mjs';
import { formatBenchTable } from './bench-table.mjs';
import { root } from './program.mjs';

const row = (key, unit, wanted = null, fails = false) => ({ key, label: `the ${key}`, unit, wanted, fails });
const BENCH = [
  { rows: [row('a', 'x', 2.5), row('b', 'MB')] },
  { rows: [row('c', '', 8, true), row('d', 'ms')] },
];

describe('the table of all benches', () => {
  it('shows the last release beside, the change, and what is wanted', () => {
    const last = { version: '0.1.0', figures: { a: 2, b: 100, c: 9 } };
    expect(formatBenchTable(BENCH, { a: 1.524, b: 74.6, c: 9.25 }, last)).toEqual([
      '         now   0.1.0  change        wanted',
      'the a   1.5x      2x   -24 %  at most 2.5x',
      'the b  75 MB  100 MB   -25 %',
      '',
      'the c    9.3       9    +3 %     at most 8  FAILS',
    ]);
  });

  it('says of a time only that it is more than wanted, and does without a last release', () => {
    expect(formatBenchTable(BENCH, { a: 2.6 }, null)).toEqual([
      '        now  last  change        wanted',
      'the a  2.6x                at most 2.5x  more than wanted',
    ]);
  });

  it('tells counts that vanished or came up', () => {
    const lines = formatBenchTable(BENCH, { c: 0 }, { version: '0.1.0', figures: { c: 0 } });
    expect(lines[1]).toMatch(/^the c {2} *0 +0 +=/);
  });
});

describe('the list of benches', () => {
  it('has commands that exist, each figure once, and no time that fails a build', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(BENCHES.filter(({ script }) => !(script in scripts))).toEqual([]);
    const rows = BENCHES.flatMap((bench) => bench.rows);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    expect(rows.filter(({ fails, unit }) => fails && unit !== '')).toEqual([]);
  });

  it('knows every saved figure', () => {
    const path = join(root, 'test/bench/figures.json');
    const saved = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).figures : {};
    const known = new Set(BENCHES.flatMap(({ rows }) => rows.map(({ key }) => key)));
    expect(Object.keys(saved).filter((key) => !known.has(key))).toEqual([]);
  });
});
