/** The folders of src/, lowest first. A folder may import from the rows above it, never from its own row or below. */
export const LAYERS: readonly (readonly string[])[] = [
  ['domain'],
  ['errors'],
  ['contract'],
  ['observability'],
  ['config'],
  ['scheduler', 'prompt'],
  ['process'],
  ['store'],
  ['http', 'tools'],
  ['trackers', 'forges', 'runners', 'workspaces'],
  ['run'],
  ['orchestrator'],
  ['server', 'notify', 'telemetry', 'doctor', 'tui'],
  ['cli'],
];

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
  {
    place: 'src/tui/',
    mayImport: ['src/tui/', 'src/contract/', 'ink', 'react', 'node:'],
    reason: 'the terminal dashboard knows the worker through its contract only',
  },
  {
    place: 'src/runners/mock/agent/',
    mayImport: ['src/runners/mock/agent/', 'src/runners/mock/messages.ts', 'node:'],
    mayImportTypes: ['src/domain/', 'src/runners/mock/'],
    reason: 'the mock agent is a foreign program that only speaks the protocol',
  },
  {
    place: 'dashboard/',
    mayImport: ['dashboard/', 'src/contract/', 'react', 'react-dom', 'vite', '@vitejs/plugin-react'],
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
  graphql: ['src/trackers/linear/'],
  hono: ['src/server/'],
  liquidjs: ['src/prompt/'],
  pino: ['src/observability/'],
  'pino-pretty': ['src/observability/'],
  shlex: ['src/runners/start/'],
  yaml: ['src/config/', 'src/trackers/', 'src/runners/mock/'],
};

/** Names with one home, written as they appear in code. */
export const NAME_HOMES: Readonly<Record<string, readonly string[]>> = {
  console: [],
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
  'src/forges/tools/',
  'src/runners/session/',
  'src/runners/start/',
  'src/runners/tools/',
  'src/runners/sandbox/',
  'src/trackers/forge/',
  'src/trackers/issue-tools/',
];
/** Besides the registry beside the adapters. */
export const MAY_NAME_ADAPTERS: readonly string[] = ['src/cli/'];

/** Where a module may be loaded that is found only at run time. */
export const MAY_IMPORT_COMPUTED: readonly string[] = [];
