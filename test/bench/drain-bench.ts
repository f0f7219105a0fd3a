import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countedGit, createCountingGit } from './drain/counting-git.ts';
import { type Drain, drain } from './drain/drained-worker.ts';
import { measureFloor } from './drain/floor.ts';
import { reportFigures } from './report-figures.mjs';

const TURN_MS = 50;
const OWN_PROGRAM = fileURLToPath(new URL('../../dist/program/aiops.js', import.meta.url));
const AGENT = fileURLToPath(new URL('./drain/stub-app-server.py', import.meta.url));

interface Scenario {
  readonly issues: number;
  readonly slots: number;
  readonly pollMs: number;
  readonly program: string;
  readonly base: string;
  readonly remote: string;
}

interface Round {
  readonly floorSeconds: number;
  readonly drain: Drain;
}

/**
 * How long a worker takes to empty a tracker, against the same agents with nothing around them in the same run.
 * `--worker AIOPS.JS` measures another build, `--name NAME` is how its figures begin. Processes are counted in a round of their own: counting costs time.
 * `--max-git N` and `--max-requests N`, each for one run, make it fail on counts; it never fails on a time.
 */
async function runBenchmark(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      issues: { type: 'string', default: '100' },
      slots: { type: 'string', default: '10' },
      poll: { type: 'string', default: '30000' },
      rounds: { type: 'string', default: '3' },
      worker: { type: 'string', default: OWN_PROGRAM },
      name: { type: 'string', default: 'drain' },
      'max-git': { type: 'string', default: 'Infinity' },
      'max-requests': { type: 'string', default: 'Infinity' },
    },
  });
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'drain-bench-')));
  const scenario = {
    issues: Number(values.issues),
    slots: Number(values.slots),
    pollMs: Number(values.poll),
    program: values.worker,
    base,
    remote: createRemote(base),
  };
  try {
    const rounds: Round[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1)
      rounds.push(await measure(scenario, `round-${round}`, null));
    const git = createCountingGit(base);
    const counted = await measure(scenario, 'counted', git.folder);
    const calls = countedGit(git);
    const best = bestOf(rounds.length === 0 ? [counted] : rounds);
    print(scenario, best, calls);
    const processes = [...calls.values()].reduce((sum, count) => sum + count, 0);
    giveFigures(values.name, scenario, best, processes, counted.drain.requests);
    assertCount('git processes', processes / scenario.issues, Number(values['max-git']));
    assertCount('requests', counted.drain.requests / scenario.issues, Number(values['max-requests']));
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(scenario: Scenario, name: string, binFolder: string | null): Promise<Round> {
  const folder = join(scenario.base, name);
  const agentIn = (place: string): { agent: string[]; doneFolder: string } => {
    const doneFolder = join(folder, place);
    mkdirSync(doneFolder, { recursive: true });
    return { agent: ['python3', '-SE', AGENT, doneFolder, String(TURN_MS)], doneFolder };
  };
  const floorSeconds = await measureFloor({
    ...scenario,
    ...agentIn('floor-done'),
    folder: join(folder, 'floor'),
  });
  return { floorSeconds, drain: await drain({ ...scenario, ...agentIn('done'), folder, binFolder }) };
}

function assertCount(what: string, perRun: number, limit: number): void {
  if (perRun <= limit) return;
  console.error(`${perRun.toFixed(1)} ${what} a run; at most ${limit} are wanted`);
  process.exitCode = 1;
}

function createRemote(base: string): string {
  const remote = join(base, 'remote.git');
  const seed = join(base, 'seed');
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: base });
  git('init', '-q', '--bare', '-b', 'main', remote);
  git('init', '-q', '-b', 'main', seed);
  writeFileSync(join(seed, 'README.md'), '# A small project\n');
  git('-C', seed, 'add', '.');
  git('-C', seed, ...author, 'commit', '-q', '-m', 'Begin');
  git('-C', seed, 'push', '-q', remote, 'main');
  return remote;
}

function ratioOf({ drain: { seconds }, floorSeconds }: Round): number {
  return seconds / floorSeconds;
}

/** The fastest drain and the fastest floor: what each takes when nothing else is in its way. */
function bestOf(rounds: readonly Round[]): Round {
  return {
    floorSeconds: Math.min(...rounds.map(({ floorSeconds }) => floorSeconds)),
    drain: rounds.map((round) => round.drain).reduce((a, b) => (b.seconds < a.seconds ? b : a)),
  };
}

function giveFigures(
  name: string,
  { issues }: Scenario,
  best: Round,
  processes: number,
  requests: number,
): void {
  reportFigures({
    [`${name}.ratio`]: ratioOf(best),
    [`${name}.git`]: processes / issues,
    [`${name}.requests`]: requests / issues,
    [`${name}.cpu`]: best.drain.cpuMs / issues,
    [`${name}.helperCpu`]: best.drain.helperCpuMs / issues,
    [`${name}.delayP99`]: best.drain.delayP99Ms,
    [`${name}.peak`]: best.drain.peakMb,
  });
}

function print({ issues, slots, pollMs }: Scenario, best: Round, calls: ReadonlyMap<string, number>): void {
  const { seconds, requests, peakMb, cpuMs, helperCpuMs, delayP99Ms, delayMaxMs } = best.drain;
  const started = [...calls.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${issues} issues, ${slots} slots, a poll every ${pollMs} ms, turns of ${TURN_MS} ms`);
  console.log(
    `floor ${best.floorSeconds.toFixed(2)} s, drain ${seconds.toFixed(2)} s: ${ratioOf(best).toFixed(1)} times the floor`,
  );
  console.log(
    `${requests} requests, ${started} git processes (${(started / issues).toFixed(1)} a run): ${[...calls].map(([name, count]) => `${name} ${count}`).join(', ')}`,
  );
  console.log(
    `CPU of the worker's process ${(cpuMs / issues).toFixed(0)} ms a run, and of its helper's ${(helperCpuMs / issues).toFixed(0)} ms; event-loop delay p99 ${delayP99Ms.toFixed(1)} ms and ${delayMaxMs.toFixed(0)} ms at most, memory ${peakMb.toFixed(0)} MB at most`,
  );
}

await runBenchmark(process.argv.slice(2));
