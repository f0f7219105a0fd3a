/**
 * What `npm run bench` runs, in its order. `quick` replaces `full` in a first look; `large` is left out unless it is asked for or
 * figures are saved. The last part of each row is what is wanted, where somebody has said so; `fails` marks counts, which are the
 * same on every machine and so may fail a build. Times never do.
 */
const row = (key, label, unit, wanted = null) => ({ key, label, unit, wanted, fails: false });
const count = (key, label, wanted) => ({ key, label, unit: '', wanted, fails: wanted !== null });

const drain = (name, title, wanted) => [
  row(`${name}.ratio`, `${title}: time / the agents alone`, 'x', wanted.ratio),
  count(`${name}.git`, `${title}: git processes a run`, wanted.git),
  count(`${name}.requests`, `${title}: requests a run`, wanted.requests),
  row(`${name}.cpu`, `${title}: processor time of the worker's process a run`, 'ms', wanted.cpu),
  row(`${name}.helperCpu`, `${title}: processor time of its helper's, without git, a run`, 'ms'),
  row(`${name}.delayP99`, `${title}: event-loop delay p99`, 'ms', 10),
  row(`${name}.peak`, `${title}: memory at most`, 'MB', wanted.peak),
];

export const BENCHES = [
  {
    name: 'start',
    script: 'bench:startup',
    full: ['--runs', '10'],
    quick: ['--runs', '3'],
    rows: [
      row('start.version', 'aiops --version / node -e 0', 'x', 2.5),
      row('start.versionCpu', '  processor time', 'x'),
      row('start.status', 'aiops status, no worker / node -e 0', 'x', 4),
      row('start.statusCpu', '  processor time', 'x'),
      row('start.statusAsked', 'aiops status, with a worker / node -e 0', 'x', 4),
      row('start.help', 'aiops --help / node -e 0', 'x', 4),
      row('start.ready', 'aiops worker to /readyz / node -e 0', 'x', 5),
      row('start.readyCpu', '  processor time', 'x'),
    ],
  },
  {
    name: 'memory',
    script: 'bench:memory',
    quickEnv: { BENCH_IDLE_SECONDS: '6' },
    rows: [
      row('memory.idle', 'memory of an idle worker', 'MB', 80),
      row('memory.perRun', 'memory of each live run', 'MB', 1),
    ],
  },
  {
    name: 'drain',
    script: 'bench:drain',
    full: ['--rounds', '3'],
    quick: ['--issues', '20', '--rounds', '1'],
    rows: drain('drain', '100 issues, 10 slots', { ratio: 3.5, git: 8, requests: 1, cpu: 30, peak: null }),
  },
  {
    name: 'burst',
    script: 'bench:drain',
    full: ['--name', 'burst', '--issues', '40', '--slots', '20', '--rounds', '2'],
    quick: ['--name', 'burst', '--issues', '20', '--slots', '20', '--rounds', '0'],
    rows: drain('burst', '20 runs at once', { ratio: null, git: 8, requests: 2, cpu: null, peak: null }),
  },
  {
    name: 'large',
    script: 'bench:drain',
    large: true,
    full: ['--name', 'large', '--issues', '1000', '--slots', '50', '--rounds', '1'],
    rows: drain('large', '1,000 issues, 50 slots', { ratio: 3.5, git: 8, requests: 0.6, cpu: 30, peak: 150 }),
  },
  {
    name: 'trackers',
    script: 'bench:trackers',
    rows: ['linear', 'github', 'gitea'].map((kind) =>
      count(`trackers.${kind}`, `${kind}: requests a poll, 1,000 ready issues`, 25),
    ),
  },
  {
    name: 'workspaces',
    script: 'bench:workspaces',
    quickEnv: { BENCH_FILES: '1000', BENCH_COMMITS: '100', BENCH_ASSETS_MB: '10', BENCH_ROUNDS: '1' },
    rows: [
      row('workspaces.faster', 'workspaces: plain clones / ours, time', 'x'),
      row('workspaces.smaller', 'workspaces: plain clones / ours, disk', 'x'),
      count('workspaces.fetches', 'workspaces: fetches for ten at once', 1),
    ],
  },
  {
    name: 'scheduler',
    script: 'bench:scheduler',
    rows: [
      row('scheduler.event', 'one fact: 10,000 issues and 500 runs / 10 and 1', 'x'),
      row('scheduler.tickMs', 'one poll of 10,000 issues and 500 runs', 'ms'),
      row('scheduler.perIssue', 'memory of each listed issue', 'bytes'),
      row('scheduler.perRun', "memory of each run's state", 'KB'),
    ],
  },
  {
    name: 'api',
    script: 'bench:api',
    quickEnv: { BENCH_SECONDS: '4', BENCH_CLIENTS: '50' },
    rows: [
      row('api.underLoad', 'reading the state: with streams / without', 'x'),
      row('api.cpuPerRead', 'processor time of one read', 'ms'),
      row('api.timersP99', "lateness of the worker's timers p99", 'ms', 10),
      count('api.lost', 'events that followers lost', 0),
    ],
  },
  {
    name: 'stream',
    script: 'bench:stream',
    quickEnv: { AIOPS_BENCH_STREAM_MB: '50', AIOPS_BENCH_READS: '100' },
    rows: [
      row('stream.growth', 'growth while an agent prints 500 MB', 'MB', 30),
      row('stream.speed', 'speed of that', 'MB/s'),
      row('stream.stateP99', 'reading the state meanwhile p99', 'ms', 20),
      row('stream.cpu', 'processor time with 10 agents at 200 events/s', '%'),
    ],
  },
];
