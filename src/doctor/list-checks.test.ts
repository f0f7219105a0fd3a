import { describe, expect, test } from 'vitest';
import {
  type Case,
  exited,
  HEALTHY,
  judge,
  LOCAL,
  missing,
  verdict,
  verdicts,
} from '../../test/fakes/doctor/healthy-machine.ts';
import type { Status } from '../domain/verdict.ts';
import { AppError } from '../errors/app-error.ts';
import { listChecks } from './list-checks.ts';

test('on a healthy machine every check of a workflow passes, and each has something to say', async () => {
  const found = await verdicts();
  expect([...found.keys()]).toEqual([
    ...[
      'node',
      'git',
      'workflow',
      'variable-inside',
      'mock-by-surprise',
      'state-folder',
      'workspace-root',
      'mirror-root',
      'journal',
      'kept-rescues',
      'scope-lease',
      'foreign-pushes',
      'tracker-credential',
      'tracker',
    ],
    ...[
      'clone-path',
      'repository',
      'way-to-push',
      'push',
      'agent-mock',
      'stray-processes',
      'port',
      'api-access',
    ],
  ]);
  for (const { status, text, fix } of found.values()) {
    expect({ status, fix }).toEqual({ status: 'ok', fix: null });
    expect(text).not.toBe('');
  }
});

const CODEX = `${LOCAL}\nagent: {default: codex-app-server}`;
const CLAUDE = `${LOCAL}\nagent: {default: claude}`;
const ACP = `${LOCAL}\nagent: {default: acp}\nacp: {command: my-agent --acp}`;
const SANDBOX = `${CODEX}\nsandbox: {enabled: true, backend: bubblewrap, network: normal, env_allowlist: [PATH]}`;
const LINEAR =
  'tracker: {kind: linear, project_slug: app}\nrepo: {clone_url: "https://forge.invalid/a/app.git"}';
const OPEN = `${LOCAL}\nserver: {host: 0.0.0.0}`;
const nothing = async (): Promise<null> => null;

const CASES: readonly (readonly [
  what: string,
  id: string,
  given: Case,
  status: Status,
  text: RegExp,
  fix: RegExp | null,
])[] = [
  [
    'an old Node',
    'node',
    { effects: { nodeVersion: '18.20.4' } },
    'fail',
    /18\.20\.4 is too old/,
    /20\.19\.0/,
  ],
  [
    'no git',
    'git',
    { effects: { gitVersion: async () => missing('git') } },
    'fail',
    /not found/,
    /Install git/,
  ],
  [
    'an old git',
    'git',
    { effects: { gitVersion: async () => exited('git version 2.25.1') } },
    'fail',
    /2\.25\.1 is too old/,
    /2\.32/,
  ],
  [
    'no git where hooks fill the workspaces',
    'git',
    {
      workflow: 'tracker: {kind: local, path: issues}',
      effects: { gitVersion: async () => missing('git') },
    },
    'warn',
    /not found/,
    /Install git/,
  ],
  [
    'a root that does not exist yet',
    'workspace-root',
    { effects: { folder: async () => ({ nearest: '/srv', exists: false, problem: null }) } },
    'ok',
    /will be created/,
    null,
  ],
  [
    'a root nobody may create',
    'workspace-root',
    { effects: { folder: async () => ({ nearest: '/srv', exists: false, problem: 'no' }) } },
    'fail',
    /cannot be created below \/srv: no/,
    /workspace\.root/,
  ],
  [
    'a state folder that others may enter',
    'state-folder',
    {
      effects: {
        whyNotPrivate: async () => ({
          why: 'others may enter it (mode 755)',
          fix: 'Run `chmod 700 x`.',
          closable: false,
        }),
      },
    },
    'fail',
    /not yours alone: others may enter it/,
    /chmod 700/,
  ],
  [
    'a state folder that cannot be made',
    'state-folder',
    {
      effects: {
        folder: async () => ({ nearest: '/', exists: false, problem: 'this user may not write there' }),
      },
    },
    'warn',
    /cannot be written/,
    /XDG_STATE_HOME/,
  ],
  [
    'state of an earlier version',
    'state-folder',
    { effects: { earlierRoot: async () => '/tmp/symphony_workspaces' } },
    'warn',
    /earlier version kept .* in \/tmp\/symphony_workspaces/,
    /Set workspace\.root to \/tmp\/symphony_workspaces/,
  ],
  [
    'a rescue that is the last copy of a commit',
    'kept-rescues',
    {
      effects: {
        keptRescues: async () => [
          { id: '2026-ENG-1-ab', identifier: 'ENG-1', dropCommand: 'aiops rescue prune 2026-ENG-1-ab --yes' },
        ],
      },
    },
    'warn',
    /one rescue is beyond .* nowhere else \(ENG-1\)/,
    /aiops rescue restore 2026-ENG-1-ab.* `aiops rescue prune 2026-ENG-1-ab --yes`/,
  ],
  ['no journal', 'journal', { effects: { readJournal: nothing } }, 'ok', /none yet/, null],
  [
    'a damaged journal',
    'journal',
    {
      effects: {
        readJournal: async () => {
          throw new AppError('journal_unreadable', 'it is no journal');
        },
      },
    },
    'warn',
    /it is no journal/,
    /moves a damaged journal aside/,
  ],
  [
    'a port of another program',
    'port',
    {
      workflow: `${LOCAL}\nserver: {port: 4000}`,
      effects: {
        tryPort: async () => ({
          problem: { message: 'held by nginx (pid 7)', hint: 'Stop it.' },
          holderPid: 7,
        }),
      },
    },
    'fail',
    /nginx/,
    /Stop it/,
  ],
  [
    'the default port of another program',
    'port',
    { effects: { tryPort: async () => ({ problem: { message: 'held', hint: '' }, holderPid: 7 }) } },
    'ok',
    /taken \(pid 7\).*a free one is used/,
    null,
  ],
  [
    'a port of its own worker',
    'port',
    {
      effects: {
        tryPort: async () => ({ problem: { message: 'held', hint: '' }, holderPid: 7 }),
        findWorker: async () => ({ pid: 7, host: 'here' }),
      },
    },
    'ok',
    /running worker of this workflow \(pid 7\)/,
    null,
  ],
  [
    'an open host without a token',
    'api-access',
    { workflow: OPEN },
    'warn',
    /0\.0\.0\.0/,
    /AIOPS_STATE_API_TOKEN/,
  ],
  [
    'an open host with a short token',
    'api-access',
    { workflow: OPEN, effects: { tokenLengths: async () => ({ full: 40, readOnly: 5 }) } },
    'warn',
    /short enough to guess/,
    /openssl rand/,
  ],
  [
    'an open host with a good token',
    'api-access',
    { workflow: OPEN, effects: { tokenLengths: async () => ({ full: 40, readOnly: null }) } },
    'ok',
    /with a token/,
    null,
  ],
  [
    'a credential in the file itself',
    'tracker-credential',
    { workflow: LINEAR.replace('kind: linear', 'kind: linear, api_key: dummy_written_key') },
    'warn',
    /written into the workflow/,
    /\$NAME/,
  ],
  ['a credential in a variable', 'tracker-credential', { workflow: LINEAR }, 'ok', /\$LINEAR_API_KEY/, null],
  ['a tracker with --offline', 'tracker', { workflow: LINEAR, offline: true }, 'skip', /--offline/, null],
  ['a local tracker with --offline', 'tracker', { offline: true }, 'ok', /3 issues in Todo/, null],
  [
    'a tracker that complains',
    'tracker',
    { effects: { askTracker: async () => ({ issues: 1, warnings: Array(7).fill('bad file') }) } },
    'warn',
    /1 issue in [\s\S]*bad file\nand 2 more$/,
    /issues --explain/,
  ],
  [
    'labels that are missing',
    'tracker-labels',
    {
      workflow:
        'tracker: {kind: github, api_key: $LINEAR_API_KEY}\nrepo: {clone_url: "https://f.invalid/a/app.git", owner: a, name: app}',
      effects: { readLabels: async () => ({ missing: ['Todo', 'Done'], existing: ['to do', 'bug'] }) },
    },
    'warn',
    /Todo, Done/,
    /labels sync.*did you mean its label to do\?/,
  ],
  [
    'a repository without its branch',
    'repository',
    { effects: { remoteBranches: async () => ['trunk'] } },
    'fail',
    /no branch main \(it has trunk\)/,
    /repo\.default_branch/,
  ],
  [
    'an empty repository',
    'repository',
    { effects: { remoteBranches: async () => [] } },
    'fail',
    /empty/,
    /Push a first commit/,
  ],
  [
    'a remote with --offline',
    'repository',
    { offline: true, identity: 'forge/a' },
    'skip',
    /--offline/,
    null,
  ],
  ['the pinned Codex', 'agent-codex-app-server', { workflow: CODEX }, 'ok', /Codex 0\.166\.0 at/, null],
  [
    'an older Codex',
    'agent-codex-app-server',
    {
      workflow: CODEX,
      effects: { runProgram: async () => exited('codex-cli 0.99.0\n') },
    },
    'warn',
    /0\.99\.0 .* is older than 0\.166\.0/,
    /npm install -g @openai\/codex@0\.166\.0/,
  ],
  [
    'a newer Codex',
    'agent-codex-app-server',
    {
      workflow: CODEX,
      effects: { runProgram: async () => exited('codex-cli 1.2.0\n') },
    },
    'warn',
    /1\.2\.0 .* is newer than 0\.166\.0/,
    /Update aiops, or install the tested version/,
  ],
  [
    'something that is not Codex',
    'agent-codex-app-server',
    {
      workflow: CODEX,
      effects: { runProgram: async () => exited('2.1.325 (Claude Code)\n') },
    },
    'warn',
    /does not say which version/,
    /0\.166\.0/,
  ],
  [
    'no Codex',
    'agent-codex-app-server',
    { workflow: CODEX, effects: { findProgram: nothing } },
    'fail',
    /codex app-server/,
    /npm install -g @openai\/codex@0\.166\.0.*codex login/,
  ],
  [
    'an agent inside of the workspace',
    'agent-codex-app-server',
    { workflow: `${CODEX}\ncodex: {command: ./bin/codex app-server}`, effects: { findProgram: nothing } },
    'skip',
    /in each workspace/,
    null,
  ],
  [
    'Claude',
    'agent-claude',
    { workflow: CLAUDE, effects: { bundledVersion: () => '0.3.325' } },
    'ok',
    /^Claude Code 2\.1\.325 at \S+$/,
    null,
  ],
  [
    'the SDK alone',
    'agent-claude',
    { workflow: CLAUDE, effects: { findProgram: nothing, bundledVersion: () => '0.3.325' } },
    'ok',
    /the program of the Claude Agent SDK 0\.3\.325/,
    null,
  ],
  [
    'a Claude of its own that is not there',
    'agent-claude',
    {
      workflow: `${CLAUDE}\nclaude: {command: /opt/claude}`,
      effects: { findProgram: nothing, bundledVersion: () => '0.3.325' },
    },
    'fail',
    /not found: \/opt\/claude/,
    /claude\.command/,
  ],
  [
    'neither Claude nor the SDK',
    'agent-claude',
    { workflow: CLAUDE, effects: { findProgram: nothing } },
    'fail',
    /claude\.command was not found/,
    /npm install -g @anthropic-ai\/claude-code.*npm install @anthropic-ai\/claude-agent-sdk/,
  ],
  [
    'a broken Claude',
    'agent-claude',
    { workflow: CLAUDE, effects: { runProgram: async () => exited('', 1, 'needs glibc') } },
    'warn',
    /needs glibc/,
    /by hand/,
  ],
  [
    'a Claude that hangs',
    'agent-claude',
    {
      workflow: CLAUDE,
      effects: { runProgram: async () => ({ ...exited(''), outcome: 'timed_out', code: null }) },
    },
    'warn',
    /no answer in time/,
    /by hand/,
  ],
  ['an ACP agent', 'agent-acp', { workflow: ACP }, 'ok', /\/usr\/bin\/my-agent/, null],
  [
    'no ACP agent',
    'agent-acp',
    { workflow: ACP, effects: { findProgram: nothing } },
    'fail',
    /my-agent/,
    /PATH/,
  ],
  ['a sandbox that starts', 'sandbox', { workflow: SANDBOX }, 'ok', /bubblewrap starts/, null],
  [
    'no sandbox tool',
    'sandbox',
    { workflow: SANDBOX, effects: { trySandbox: async () => missing('bwrap') } },
    'fail',
    /bwrap was not found/,
    /package bubblewrap/,
  ],
  [
    'a sandbox that may not start',
    'sandbox',
    { workflow: SANDBOX, effects: { trySandbox: async () => exited('', 1, 'bwrap: No permissions') } },
    'fail',
    /No permissions/,
    /user namespaces/,
  ],
];

describe('a check', () => {
  test.each(CASES)('of %s', async (_what, id, given, status, text, fix) => {
    const found = await verdict(id, given);
    expect(found).toMatchObject({ status, text: expect.stringMatching(text) });
    if (fix === null) expect(found.fix).toBeNull();
    else expect(found.fix).toMatch(fix);
  });
});

test('every agent that a profile can choose is checked, each once', async () => {
  const workflow = `${LOCAL}
agent:
  default: mock
  profiles:
    big: {runner: codex-app-server}
    bigger: {runner: codex-app-server, codex: {command: /opt/codex app-server}}
    same: {runner: codex-app-server, max_turns: 3}
    careful: {runner: claude}`;
  const ids = [...(await verdicts({ workflow })).keys()].filter((id) => id.startsWith('agent-'));
  expect(ids).toEqual([
    'agent-mock',
    'agent-codex-app-server',
    'agent-codex-app-server-bigger',
    'agent-claude',
  ]);
});

test('without a workflow that loads only the machine is checked', async () => {
  const problem = {
    code: 'missing_workflow_file',
    file: '/srv/WORKFLOW.md',
    line: null,
    key: null,
    message: 'does not exist',
    hint: 'Write one.',
  } as const;
  const checks = listChecks(
    {
      workflow: {
        file: '/srv/WORKFLOW.md',
        config: null,
        problems: [problem],
        warnings: [],
        provenance: new Map(),
        texts: new Map(),
      },
      repositoryIdentity: null,
      repositoryPath: null,
      offline: false,
    },
    HEALTHY,
  );
  const found = await Promise.all(checks.map(async (check) => [check.id, (await judge(check)).status]));
  expect(found).toEqual([
    ['node', 'ok'],
    ['git', 'ok'],
    ['workflow', 'fail'],
    ['rest', 'skip'],
  ]);
});
