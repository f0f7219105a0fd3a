import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FIGURES_LINE } from '../test/bench/report-figures.mjs';
import { BENCHES } from './lib/bench-rows.mjs';
import { formatBenchTable, isBroken } from './lib/bench-table.mjs';
import { root, runProgram, SetupError, say } from './lib/program.mjs';
import { secondsSince } from './lib/run-command.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';

const HELP = `npm run bench [-- OPTIONS]: every bench, one table, the last release's figures beside.

  --quick          a first look: smaller loads, fewer rounds
  --only NAMES     of ${BENCHES.map(({ name }) => name).join(', ')}; separated by commas
  --large          with 1,000 issues and 50 slots, which takes minutes
  --save           writes test/bench/figures.json, for a release; with --only those figures alone
  --verbose        shows what each bench prints
`;
const savedPath = join(root, 'test', 'bench', 'figures.json');

await runProgram(async () => {
  const options = readOptions(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(HELP);
    return 0;
  }
  await ensureInstalled();
  await ensureBuilt();
  const benches = chosen(options);
  const figures = {};
  let failed = 0;
  for (const bench of benches) {
    const result = await runBench(bench, options);
    Object.assign(figures, result.figures);
    if (result.missing.length === 0) continue;
    failed += 1;
    say(`${bench.name} ended with ${result.code} and without ${result.missing.join(', ')}`);
    if (!options.verbose) say(result.output.slice(-2_000));
  }
  console.log(`${formatBenchTable(benches, figures, readSaved()).join('\n')}\n`);
  console.log(note(options));
  const broken = benches
    .flatMap(({ rows }) => rows)
    .filter((row) => row.fails && isBroken(row, figures[row.key]));
  if (options.save && failed === 0) save(figures);
  return failed + broken.length === 0 ? 0 : 1;
});

function readOptions(args) {
  try {
    const options = {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      large: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    };
    const { values } = parseArgs({ args, options });
    if (values.help) return null;
    if (values.save && values.quick)
      throw new SetupError('--save keeps what was measured in full; leave --quick out');
    return values;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`${error.message}\n\n${HELP}`);
  }
}

function chosen({ only, large, save, quick }) {
  if (only === undefined) return BENCHES.filter((bench) => !bench.large || ((large || save) && !quick));
  const names = only.split(',');
  const unknown = names.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) throw new SetupError(`there is no bench ${unknown.join(', ')}\n\n${HELP}`);
  return BENCHES.filter(({ name }) => names.includes(name));
}

async function runBench({ name, script, full = [], quick = full, quickEnv = {}, rows }, options) {
  const started = Date.now();
  const args = options.quick ? quick : full;
  const { code, output } = await runScript(script, args, options.quick ? quickEnv : {}, options.verbose);
  say(`${name}: ${secondsSince(started)}`);
  const figures = {};
  for (const line of output.split('\n').filter((candidate) => candidate.startsWith(FIGURES_LINE)))
    Object.assign(figures, JSON.parse(line.slice(FIGURES_LINE.length)));
  // What could not be measured is no number, which JSON has no word for.
  for (const [key, figure] of Object.entries(figures)) if (figure === null) delete figures[key];
  return { code, output, figures, missing: rows.map(({ key }) => key).filter((key) => !(key in figures)) };
}

function runScript(script, args, environment, verbose) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
      cwd: root,
      env: { ...process.env, ...environment, BENCH_FIGURES: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (verbose) process.stderr.write(text);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

function readSaved() {
  return existsSync(savedPath) ? JSON.parse(readFileSync(savedPath, 'utf8')) : null;
}

function save(figures) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const date = new Date().toISOString().slice(0, 10);
  const rounded = Object.entries(figures).map(([key, figure]) => [key, Number(figure.toPrecision(3))]);
  const before = readSaved();
  const kept = before?.version === version ? before.figures : {};
  const saved = {
    version,
    date,
    node: process.version,
    load: Number(loadavg()[0].toFixed(1)),
    figures: { ...kept, ...Object.fromEntries(rounded) },
  };
  writeFileSync(savedPath, `${JSON.stringify(saved, null, 2)}\n`);
  say(`saved as the figures of ${version}`);
}

function note({ quick }) {
  const size = quick ? 'A quick look: loads are smaller than those of the last release. ' : '';
  const last = readSaved();
  const then = last === null ? '' : ` (${last.load} on ${last.date}, for ${last.version})`;
  return `${size}Node ${process.versions.node}, load average ${loadavg()[0].toFixed(1)}${then}. Times on a busy machine say little; counts are the same on every machine.`;
}
