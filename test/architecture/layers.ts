/** A folder of src/ and its row in ARCHITECTURE.md. */
export interface Layer {
  readonly folder: string;
  readonly holds: string;
  /** What it keeps to beyond the direction of imports. */
  readonly stricter: string;
}

/** The folders of src/, lowest first. A folder may import from the rows above it, never from its own row or below. */
export const LAYERS: readonly (readonly Layer[])[] = [
  [layer('domain', 'Issue, run events, outcome, usage, clock port', 'imports nothing else')],
  [layer('errors', 'the error base and the one table of codes', 'imports nothing else')],
  [
    layer(
      'contract',
      'the wire format of the HTTP API (zod) and its client',
      'runs in a browser: no `node:`',
    ),
  ],
  [layer('observability', 'log port, redaction, sink', 'only importer of pino')],
  [layer('config', '`WORKFLOW.md`: read, schema, resolve, rules', 'reads `process.env`')],
  [
    layer('scheduler', 'every decision', '`domain` and the `Config` type only; no clock, timers, promises'),
    layer('prompt', 'strict Liquid rendering, continuation text', 'only importer of liquidjs'),
  ],
  [
    layer(
      'process',
      'spawn, kill ladder, framing, environment, locks',
      'only importer of `node:child_process`',
    ),
  ],
  [
    layer(
      'store',
      "the journal: claims, runs, events, transcripts; the lease on a tracker's issues",
      'only importer of SQLite',
    ),
  ],
  [
    layer('http', 'JSON over HTTP to one server: allowance of a token, conditional requests, bounds'),
    layer('tools', 'what every tool of a run is made of: arguments, answers, texts of strangers'),
  ],
  [
    layer('trackers', 'port, registry, one folder per tracker', 'adapters do not know each other'),
    layer(
      'forges',
      'port, registry, one folder per forge; the tools for pull requests',
      'adapters do not know each other',
    ),
    layer('runners', 'port, registry, one folder per agent kind', 'adapters do not know each other'),
    layer('workspaces', 'mirrors, clones, branches, hooks, rescue, removal'),
  ],
  [layer('run', 'one run, behind the run protocol', 'sees no tracker, no scheduling state')],
  [layer('orchestrator', 'the mailbox and the executor of commands', 'sees ports, never an adapter')],
  [
    layer('server', 'HTTP API, stream of events, access rules, static page'),
    layer('notify', 'notices to people outside: webhook, Slack, command'),
    layer('telemetry', 'OpenTelemetry traces of runs, turns and tools, when asked for'),
    layer(
      'doctor',
      "the rules of set-up, over effects passed in: one list for `doctor`, `config check` and the worker's preflight",
      'looks, never changes',
    ),
    layer('tui', 'the terminal dashboard: view model, data, Ink', 'knows `contract` only'),
  ],
  [layer('cli', 'commands; `compose/` puts the parts together')],
];

function layer(folder: string, holds: string, stricter = ''): Layer {
  return { folder, holds, stricter };
}

/**
 * Rooms: sub-folders with a direction, lowest first; a room may import from the rows above it. Files that lie directly in the
 * folder are above or below all rooms, as ports and compositions are. A folder that is not listed has rooms without an order,
 * such as adapters.
 */
export const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  cli: [
    ['terminal', 'record', 'compose'],
    ['history', 'issue', 'labels'],
    ['remote', 'rescue', 'runs'],
    ['doctor'],
    ['completion', 'config', 'open', 'status', 'operate', 'logs', 'issues', 'workers'],
    ['preflight', 'init', 'tui'],
    ['worker'],
    ['demo', 'explain'],
  ],
  config: [['schema'], ['read'], ['roots'], ['resolve'], ['show']],
  doctor: [['rules'], ['run']],
  http: [['budget'], ['request'], ['pages']],
  orchestrator: [['clock', 'runs'], ['history'], ['snapshot'], ['operator', 'tracker']],
  process: [['files', 'lines', 'table'], ['cgroup', 'locks'], ['tree'], ['children'], ['helper']],
  scheduler: [['core'], ['rules'], ['phases'], ['explain']],
  server: [
    ['access', 'listen', 'stream'],
    ['routes', 'webhooks'],
  ],
  store: [['schemas'], ['transcripts'], ['memory'], ['sqlite'], ['locks']],
  tui: [['text'], ['board'], ['issue'], ['screen'], ['data'], ['terminal']],
  workspaces: [
    ['files', 'locks'],
    ['git'],
    ['ownership'],
    ['mirror'],
    ['reading'],
    ['foreign-pushes'],
    ['push'],
    ['relay', 'rescue'],
    ['removal'],
    ['checkout'],
    ['helper'],
  ],
};

/** `from -> to` between rooms of one folder that goes against their order, and why it still does. It may only shrink. */
export const ROOM_EXCEPTIONS: Readonly<Record<string, string>> = {
  'cli/doctor -> cli/config':
    '`doctor` begins with the checks of `config check`, which ends with rules of the doctor',
  'config/read -> config/resolve': 'evaluating a file reads and resolves it in one step',
  'config/schema -> config/read':
    'a key says in its own definition what is wrong with its value, in the words of a problem',
  'config/schema -> config/resolve':
    'a key resolves its own value, and reports to the resolution it is part of',
  'config/schema -> config/roots': 'the default of a root is a folder of the state',
};

/** A place that is stricter than its layer: it may import these paths and nothing else. */
export interface Confinement {
  /** Prefix of the importing file's path. */
  readonly place: string;
  /** Prefixes of paths, or names of packages; `node:` stands for Node's own modules. */
  readonly mayImport: readonly string[];
  /** Prefixes that may be imported as types only. */
  readonly mayImportTypes?: readonly string[];
  readonly reason: string;
}

/** The settings of all adapters are loaded at every start, as is how they are set up, so that these must not load an adapter. */
function settingsOnly(folder: string): Confinement {
  return {
    place: `src/${folder}/settings`,
    mayImport: [
      `src/${folder}/settings/`,
      'src/trackers/forge/settings.ts',
      'src/config/',
      'src/domain/',
      'zod',
    ],
    reason: 'settings are read without loading the adapter',
  };
}

function setupOnly(folder: string): Confinement {
  return {
    place: `src/${folder}/setup.ts`,
    mayImport: [`src/${folder}/setup/`, 'src/trackers/forge/setup.ts', 'src/trackers/tracker-setup.ts'],
    mayImportTypes: ['src/runners/agent-setup.ts'],
    reason: 'what can be set up is listed without loading the adapter',
  };
}

const ADAPTERS_SET_UP: readonly string[] = [
  ...['runners/acp', 'runners/claude', 'runners/codex', 'runners/mock'],
  ...['trackers/gitea', 'trackers/github', 'trackers/linear', 'trackers/local'],
];

export const CONFINEMENTS: readonly Confinement[] = [
  { place: 'src/domain/', mayImport: ['src/domain/'], reason: 'the domain depends on nothing' },
  { place: 'src/errors/', mayImport: ['src/errors/'], reason: 'errors are usable everywhere' },
  {
    place: 'src/contract/',
    mayImport: ['src/contract/', 'src/domain/', 'zod'],
    reason: 'the wire contract also runs in a browser',
  },
  {
    place: 'src/scheduler/',
    mayImport: ['src/scheduler/', 'src/domain/'],
    mayImportTypes: ['src/config/config.ts', 'src/contract/actions.ts'],
    reason: 'decisions are pure: no I/O, no packages',
  },
  ...['forges/gitea', 'forges/github', 'trackers/forge'].map(settingsOnly),
  ...ADAPTERS_SET_UP.flatMap((folder) => [settingsOnly(folder), setupOnly(folder)]),
  {
    place: 'src/tui/',
    mayImport: ['src/tui/', 'src/contract/', 'ink', 'react', 'string-width', 'node:'],
    reason:
      'the terminal dashboard knows the worker through its contract only, and measures text as Ink does',
  },
  {
    place: 'src/runners/mock/agent/',
    mayImport: ['src/runners/mock/agent/', 'src/runners/mock/messages.ts', 'node:'],
    mayImportTypes: ['src/domain/', 'src/runners/mock/'],
    reason: 'the mock agent is a foreign program that only speaks the protocol',
  },
  {
    place: 'dashboard/',
    mayImport: [
      ...['dashboard/', 'src/contract/', 'react', 'react-dom', 'vite', '@vitejs/plugin-react'],
      ...['@tanstack/react-virtual', 'diff', 'lowlight', 'highlight.js'],
    ],
    reason: 'the dashboard knows the worker through its contract only',
  },
];

/** Modules with one home: everything else goes through that folder. */
export const MODULE_HOMES: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': ['src/process/', 'src/runners/mock/agent/'],
  'node:worker_threads': ['src/process/'],
  'node:cluster': [],
  '@clack/prompts': ['src/cli/init/'],
  '@hono/node-server': ['src/server/'],
  '@photostructure/sqlite': ['src/store/'],
  commander: ['src/cli/'],
  ink: ['src/tui/terminal/'],
  graphql: ['src/trackers/linear/'],
  hono: ['src/server/'],
  liquidjs: ['src/prompt/'],
  pino: ['src/observability/'],
  shlex: ['src/config/schema/'],
  yaml: ['src/config/', 'src/trackers/', 'src/runners/mock/'],
};

/** Names with one home, written as they appear in code. */
export const NAME_HOMES: Readonly<Record<string, readonly string[]>> = {
  console: [],
  // A bundle moves modules: everything else finds the package's files through this one.
  'import.meta': ['src/process/package-file.ts', 'dashboard/'],
  'process.cwd': ['src/cli/', 'src/runners/mock/agent/'],
  'process.env': ['src/config/', 'src/cli/', 'src/runners/mock/agent/'],
  'process.exit': ['src/cli/', 'src/runners/mock/agent/'],
  'process.kill': ['src/process/', 'src/runners/mock/agent/'],
  'process.stdin': ['src/cli/io.ts', 'src/runners/mock/agent/'],
  'process.stdout': ['src/cli/io.ts', 'src/runners/mock/agent/'],
};

/** Names that would make a decision depend on something other than its arguments. */
export const IMPURE_NAMES = {
  place: 'src/scheduler/',
  /** Reading a written instant is arithmetic. */
  pure: ['Date.parse', 'Date.UTC'],
  names: [
    'Date',
    'Math.random',
    'performance',
    'crypto',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'Promise',
    'async',
    'await',
    'process',
    'fetch',
  ],
} as const;

/** Folders of adapters: each subfolder is one adapter, known to nobody but the files listed. */
export const ADAPTER_FOLDERS: readonly string[] = ['src/trackers/', 'src/forges/', 'src/runners/'];
/** Subfolders that all adapters share. */
export const SHARED_BY_ADAPTERS: readonly string[] = [
  'src/forges/rest/',
  'src/forges/tools/',
  'src/runners/session/',
  'src/runners/start/',
  'src/runners/tools/',
  'src/runners/sandbox/',
  'src/trackers/forge/',
  'src/trackers/issue-tools/',
];
/** Who may name an adapter besides the registry beside it: places that are about this one adapter. */
export const MAY_NAME_ADAPTERS: readonly {
  readonly place: string;
  readonly adapter: string;
  readonly reason: string;
}[] = [
  {
    place: 'src/cli/issue/',
    adapter: 'src/trackers/local/',
    reason: 'edits the files that are this tracker',
  },
  { place: 'src/cli/demo/', adapter: 'src/trackers/local/', reason: 'plays on files of this tracker' },
  {
    place: 'src/cli/terminal/log-lines.ts',
    adapter: 'src/trackers/local/',
    reason: 'shows a broken issue file in words of its own',
  },
  {
    place: 'src/cli/issues/command.ts',
    adapter: 'src/trackers/local/',
    reason: 'leaves broken issue files to the list that names them',
  },
  {
    place: 'src/cli/preflight/worker-checks.ts',
    adapter: 'src/trackers/local/',
    reason: 'leaves broken issue files to the list that names them',
  },
  {
    place: 'src/cli/init/write/write-workflow.ts',
    adapter: 'src/trackers/local/',
    reason: 'puts the workflow in place as issue files are',
  },
];

/** Kinds whose name is not that of their folder. */
export const OTHER_KIND_NAMES: readonly string[] = ['codex-app-server'];
/** Files outside of the adapters with a text that is the name of a kind and means something else. */
export const MAY_SAY_KINDS: Readonly<Record<string, string>> = {
  'src/cli/worker/go-doctor.ts': '`--mode mock` of the Go worker is no agent',
  'src/orchestrator/snapshot/state-snapshot.ts': 'the host `local` is this machine',
};

/** Where a module may be loaded that is found only at run time: the worker's compiled file names what it imports there. */
export const MAY_IMPORT_COMPUTED: readonly string[] = ['src/cli/main.ts'];
