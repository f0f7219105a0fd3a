import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { Composition, runOwner } from '../../../src/cli/compose/composition.ts';
import type { Config } from '../../../src/config/config.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createRedactor } from '../../../src/observability/redact.ts';
import { runSettings } from '../../../src/orchestrator/runs/run-settings.ts';
import type { RunSpec } from '../../../src/run/protocol.ts';
import { environmentOf, processesOfRun } from '../../contracts/runner-fixture.ts';
import { fakeAcpSettings } from '../../fakes/acp/settings.ts';
import { fakeClaudeSettings } from '../../fakes/claude/settings.ts';
import { fakeCodexSettings } from '../../fakes/codex/settings.ts';
import { FAKE_KEY, FakeLinear } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';

/** The tracker's own key, in a variable of the user's choice, and what other trackers would use. */
const TOKENS = {
  TEAM_TRACKER_KEY: FAKE_KEY,
  LINEAR_API_KEY: 'lin_api_dummy_of_another_team_0001',
  GITHUB_TOKEN: 'ghp_dummy_not_a_key_0000000000002',
  GH_TOKEN: 'gho_dummy_not_a_key_0000000000003',
  gitea_token: 'gitea_dummy_not_a_key_00000000004',
  LINEAR_TOKEN: '  linear_dummy_not_a_key_0000006\n',
};
const PROFILE_TOKEN = 'profile_dummy_not_a_key_00000005';

/** Names that say nothing, with a token in them; the workflow asks for every one. */
const DISGUISED = {
  HARMLESS_LOOKING: FAKE_KEY,
  EXTRA_HEADER: `Authorization: Bearer ${TOKENS.LINEAR_API_KEY}`,
  REMOTE: `https://x-access-token:${TOKENS.GITHUB_TOKEN}@forge.invalid/a/b.git`,
  NOTE: ` ${TOKENS.GH_TOKEN}\n`,
  COPY: TOKENS.gitea_token,
  ANOTHER_COPY: TOKENS.LINEAR_TOKEN.trim(),
  // Every child would get this one without asking.
  TERM: `xterm-${FAKE_KEY}`,
};
const ASKED_FOR = [...Object.keys(TOKENS), ...Object.keys(DISGUISED), 'FROM_PROFILE', 'ALLOWED'];

const AGENTS = {
  mock: {},
  'codex-app-server': { codex: { command: fakeCodexSettings('happy').command, approval_policy: 'never' } },
  claude: { claude: { command: fakeClaudeSettings('happy').command } },
  acp: { acp: { command: fakeAcpSettings('happy').command } },
};

interface Seen {
  readonly folder: string;
  readonly workspace: string;
  readonly owner: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly hookEnvironment: Readonly<Record<string, string>>;
  /** Everything of which the agent had or left something. */
  readonly bytes: readonly (readonly [where: string, bytes: Buffer])[];
}

/** One run through the composition of the worker, with the fake program of a kind of agent at its end. */
async function runAgent(kind: keyof typeof AGENTS): Promise<Seen> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'aiops-children-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const fake = await FakeLinear.start();
  onTestFinished(() => fake.finish());
  const row = fake.store.addIssue({ state: 'Todo', title: 'Greet the visitor' });
  prepareFolder(folder);
  writeWorkflow(folder, kind, fake.url);
  const environment = workerEnvironment(folder);
  const loaded = await loadWorkflow({ path: join(folder, 'WORKFLOW.md'), environment });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const config = askingForAll(loaded.config);
  const composition = new Composition(environment, silentLogger, createRedactor());
  const { tracker } = await composition.workflow(config);
  if (tracker === null) throw new Error('there is no tracker');
  const [issue] = await tracker.fetchIssuesByStates(['Todo'], new AbortController().signal);
  if (issue === undefined) throw new Error('there is no issue');
  const settings = runSettings(config);
  const spec: RunSpec = {
    runId: `run-${process.pid}-${kind}`,
    issue,
    attempt: null,
    retryKind: null,
    maxTurns: 1,
    resumeSessionId: null,
    profile: null,
    answer: null,
    tools: tracker.tools.specs,
    secretEnvironmentNames: tracker.tools.secretEnvironmentNames,
    settings,
  };
  let environmentOfAgent: readonly string[] = [];
  const bytes: [string, Buffer][] = [];
  const called: string[] = [];
  const signal = new AbortController().signal;
  const result = await composition.runExecutor()(spec, {
    stop: signal,
    emit(event) {
      bytes.push(['an event', Buffer.from(JSON.stringify(event))]);
      if (event.type !== 'agent' || event.event.type !== 'session_started') return;
      environmentOfAgent = environmentOf(event.event.pid ?? 0);
      for (const pid of processesOfRun(spec.runId)) bytes.push(...ofProcess(pid));
    },
    push: (request) => composition.workspaces(settings).push(issue.identifier, request, signal),
    onMessage() {},
    mayContinue: async () => ({ kind: 'finish', why: 'turn_limit' }),
    async callTool(call) {
      called.push(call.name);
      // What the tracker answers with may hold anything.
      fake.store.issue(row.id).description = `leaked: ${FAKE_KEY}`;
      const answer = await tracker.tools.execute(call, { issue, signal });
      const read = await tracker.tools.execute({ name: 'issue_get', arguments: {} }, { issue, signal });
      bytes.push(['a tool result', Buffer.from(JSON.stringify([answer, read]))]);
      return answer;
    },
  });
  expect(result.end).toMatchObject({ kind: 'completed' });
  // Only whoever has the key can move an issue.
  expect(called).toContain('issue_move');
  expect(fake.store.stateOf(row).name).toBe('Human Review');
  const workspace = join(folder, 'workspaces', issue.identifier);
  const history = execFileSync('git', ['log', '-p', '--all'], { cwd: workspace });
  bytes.push(['the history', history], ...filesBelow(workspace), ...filesBelow(join(folder, 'home')));
  const hookEnvironment = readFileSync(join(workspace, 'HOOK_ENVIRONMENT'), 'utf8').split('\0');
  return {
    folder,
    workspace,
    owner: runOwner(settings),
    environment: record(environmentOfAgent),
    hookEnvironment: record(hookEnvironment.filter((entry) => entry !== '')),
    bytes,
  };
}

/** A workflow file that names credentials is refused when it is read; here one got through. */
function askingForAll(config: Config): Config {
  const { agent, hooks } = config;
  return {
    ...config,
    agent: { ...agent, environment: [...ASKED_FOR, ...agent.environment] },
    hooks: { ...hooks, envPassthrough: ASKED_FOR },
  };
}

function prepareFolder(folder: string): void {
  for (const name of ['home', 'seed']) mkdirSync(join(folder, name));
  const git = (...args: string[]): void =>
    void execFileSync('git', args, { cwd: join(folder, 'seed'), stdio: 'pipe' });
  git('init', '-q', '--bare', '-b', 'main', join(folder, 'remote.git'));
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=T', '-c', 'user.email=t@x.invalid', 'commit', '-q', '--allow-empty', '-m', 'Begin');
  git('push', '-q', join(folder, 'remote.git'), 'main');
  const profile = [
    'unset LC_ALL LC_CTYPE TZ',
    'export PATH=/usr/bin:/bin:/from/profile LANG=C.UTF-8',
    `export GITHUB_PAT=${PROFILE_TOKEN} FROM_PROFILE="see ${PROFILE_TOKEN}"`,
  ];
  writeFileSync(join(folder, 'home', '.bash_profile'), `${profile.join('\n')}\n`);
}

function workerEnvironment(folder: string): Readonly<Record<string, string>> {
  return {
    ...TOKENS,
    ...DISGUISED,
    PATH: '/usr/bin:/bin',
    HOME: join(folder, 'home'),
    USER: 'worker',
    LANG: 'C.UTF-8',
    TMPDIR: folder,
    CODEX_HOME: join(folder, 'home', 'codex'),
    CLAUDE_CONFIG_DIR: join(folder, 'home', 'claude'),
    ALLOWED: 'yes',
    NOT_ASKED_FOR: 'no',
    NAMED_BY_HOOK: 'for the hook',
    AIOPS_STATE_API_TOKEN: 'dummy-token-of-the-page-0007',
    NODE_OPTIONS: '--no-warnings',
    SSH_AUTH_SOCK: '/nowhere',
  };
}

function writeWorkflow(folder: string, kind: keyof typeof AGENTS, endpoint: string): void {
  const sections = {
    tracker: { kind: 'linear', endpoint, project_slug: PROJECT_SLUG, api_key: '$TEAM_TRACKER_KEY' },
    repo: { clone_url: join(folder, 'remote.git'), default_branch: 'main' },
    workspace: { root: 'workspaces', mirror_root: 'mirrors', min_free_mb: 0 },
    agent: { default: kind },
    hooks: {
      before_run: 'env -0 > HOOK_ENVIRONMENT # "$NAMED_BY_HOOK" $LINEAR_API_KEY $AIOPS_STATE_API_TOKEN',
    },
    ...AGENTS[kind],
  };
  writeFileSync(join(folder, 'WORKFLOW.md'), `---\n${stringify(sections)}---\nWork on {{ issue.title }}.\n`);
}

function ofProcess(pid: number): [string, Buffer][] {
  return ['environ', 'cmdline'].map((name) => [`${name} of a process`, readFileSync(`/proc/${pid}/${name}`)]);
}

function filesBelow(folder: string): [string, Buffer][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.bash_profile')
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path)]);
}

function record(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
}

/** A token as it is, and in the encodings in which headers, addresses and messages carry one. */
function formsOf(token: string): readonly string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${token}`)
      .toString('base64')
      .slice(4, -4),
  );
  return [token, ...base64, Buffer.from(token).toString('hex')];
}

/** What the run adds, whatever the agent. */
function ofTheRun({ workspace, owner }: Seen, kind: string) {
  return {
    AIOPS_ISSUE_ID: expect.stringMatching(/./),
    AIOPS_ISSUE_IDENTIFIER: 'ENG-1',
    AIOPS_ISSUE_STATE: 'Todo',
    AIOPS_WORKSPACE: workspace,
    AIOPS_ATTEMPT: '0',
    AIOPS_BRANCH: expect.stringMatching(/^ai\//),
    AIOPS_BASE_BRANCH: 'main',
    AIOPS_RUN_OWNER: owner,
    AIOPS_RUN_ID: `run-${process.pid}-${kind}`,
  };
}

test.runIf(process.platform === 'linux').each([
  ['mock', ({ folder }: Seen) => ({ PATH: '/usr/bin:/bin', TMPDIR: folder })],
  [
    'codex-app-server',
    ({ folder, workspace }: Seen) => ({
      PATH: '/usr/bin:/bin:/from/profile',
      CODEX_HOME: join(folder, 'home', 'codex'),
      TMPDIR: join(workspace, '.aiops', 'tmp'),
      XDG_CACHE_HOME: join(workspace, '.aiops', 'cache'),
      GOCACHE: join(workspace, '.aiops', 'cache', 'go-build'),
      npm_config_cache: join(workspace, '.aiops', 'cache', 'npm'),
      PIP_CACHE_DIR: join(workspace, '.aiops', 'cache', 'pip'),
    }),
  ],
  [
    'claude',
    ({ folder }: Seen) => ({
      PATH: '/usr/bin:/bin:/from/profile',
      CLAUDE_CONFIG_DIR: join(folder, 'home', 'claude'),
      TMPDIR: folder,
    }),
  ],
  ['acp', ({ folder }: Seen) => ({ PATH: '/usr/bin:/bin:/from/profile', TMPDIR: folder })],
] as const)(
  'R-10.5-n R-17.5-q R-17.5-s the whole environment of %s is a list, and no tracker token reaches it anywhere; its tools have one',
  async (kind, own) => {
    const seen = await runAgent(kind);
    const common = {
      HOME: join(seen.folder, 'home'),
      USER: 'worker',
      LANG: 'C.UTF-8',
      ALLOWED: 'yes',
      ...ofTheRun(seen, kind),
    };
    expect(seen.environment).toEqual({ ...common, ...own(seen) });
    const { AIOPS_COMMAND_ID, PWD, SHLVL, _, OLDPWD, ...hook } = seen.hookEnvironment;
    expect(AIOPS_COMMAND_ID).toBeDefined();
    const { AIOPS_RUN_ID, ...forHooks } = common;
    const named = { NAMED_BY_HOOK: 'for the hook' };
    expect(hook).toEqual({ ...forHooks, ...named, PATH: '/usr/bin:/bin', TMPDIR: seen.folder });
    const where = new Set(seen.bytes.map(([name]) => name));
    for (const place of ['an event', 'a tool result', 'environ of a process', 'cmdline of a process']) {
      expect(where).toContain(place);
    }
    expect(where.size).toBeGreaterThan(20);
    const results = seen.bytes.flatMap(([name, bytes]) =>
      name === 'a tool result' ? [bytes.toString()] : [],
    );
    expect(results.join()).toContain('leaked: ');
    const leaks = [...Object.values(TOKENS), PROFILE_TOKEN].flatMap((token) =>
      formsOf(token.trim()).flatMap((form) =>
        seen.bytes.flatMap(([name, bytes]) => (bytes.includes(form) ? [`${form} in ${name}`] : [])),
      ),
    );
    expect(leaks).toEqual([]);
  },
);
