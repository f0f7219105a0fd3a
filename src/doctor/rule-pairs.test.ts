import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Case, checksFor, exited, LOCAL, missing } from '../../test/fakes/doctor/healthy-machine.ts';
import { AppError } from '../errors/app-error.ts';
import type { Effects } from './effects.ts';
import { type Finding, runChecks } from './run/run-checks.ts';

/** A set-up that a rule objects to, what it says, and the same set-up with the fix applied. */
interface Pair {
  readonly rule: string;
  readonly broken: Case;
  readonly status: 'fail' | 'warn';
  readonly text: RegExp;
  readonly fix: RegExp;
  readonly mended: Case;
}

const FORGE = 'https://forge.invalid/a/app.git';
const REPO = `repo: {clone_url: "${FORGE}", owner: a, name: app}`;
const hosted = (tracker: string, rest = 'agent: {default: mock}'): string =>
  `tracker: {api_key: $LINEAR_API_KEY, ${tracker}}\n${REPO}\n${rest}`;
const CODEX = `${LOCAL}\nagent: {default: codex-app-server}`;
const CLAUDE = `${LOCAL}\nagent: {default: claude}`;
const SANDBOX = `${CODEX}\nsandbox: {enabled: true, backend: bubblewrap, network: normal, env_allowlist: [PATH]}`;
const rejecting = (message: string, hint: string) => () =>
  Promise.reject(new AppError('git_failed', message, { hint }));
const LABELS = { labels: [{ label: 'aiops/todo', state: 'Todo' }] };
const held = {
  tryPort: async () => ({ problem: { message: 'held by nginx (pid 7)', hint: 'Stop it.' }, holderPid: 7 }),
};
const answering = (text: string, code = 0): Partial<Effects> => ({
  runProgram: async () => exited(text, code),
});

const scopeHolder = (workflowPath: string) => ({
  pid: 7,
  workflowPath,
  text: 'Another worker works on the same issues.',
  fix: 'Stop the other one.',
});

const PAIRS: readonly Pair[] = [
  {
    rule: 'node',
    broken: { effects: { nodeVersion: '18.20.4' } },
    status: 'fail',
    text: /18\.20\.4 is too old/,
    fix: /Install Node\.js 20\.19\.0 or newer/,
    mended: { effects: { nodeVersion: '20.19.0' } },
  },
  {
    rule: 'git',
    broken: { effects: { gitVersion: async () => missing('git') } },
    status: 'fail',
    text: /git was not found/,
    fix: /Install git 2\.32\.0 or newer/,
    mended: { effects: { gitVersion: async () => exited('git version 2.32.0') } },
  },
  {
    rule: 'workflow',
    broken: {
      problems: [
        {
          code: 'invalid_tracker_config',
          file: 'WORKFLOW.md',
          line: 3,
          key: 'server.port',
          message: 'server.port is no number',
          hint: 'Write a number.',
        },
      ],
    },
    status: 'fail',
    text: /WORKFLOW\.md:3.*server\.port is no number.*Write a number/s,
    fix: /Correct what is named above.*config check/,
    mended: {},
  },
  {
    rule: 'variable-inside',
    broken: { workflow: `${LOCAL.replace('/srv/app.git', '"https://$TOKEN@forge.invalid/a/b.git"')}` },
    status: 'fail',
    text: /\$TOKEN inside of an address: it stays there as it is written/,
    fix: /without user and password, and repo\.token: \$TOKEN/,
    mended: {
      workflow: `tracker: {kind: local, path: issues}\nrepo: {clone_url: "https://forge.invalid/a/b.git", token: $LINEAR_API_KEY}`,
    },
  },
  {
    rule: 'mock-by-surprise',
    broken: { workflow: hosted('kind: github', '') },
    status: 'fail',
    text: /the mock agent would work on the issues of github/,
    fix: /agent\.default: codex-app-server/,
    mended: { workflow: hosted('kind: github', 'agent: {default: codex-app-server}') },
  },
  {
    rule: 'state-folder',
    broken: {
      effects: {
        whyNotPrivate: async () => ({
          why: 'others may enter it',
          fix: 'Run `chmod 700 x`.',
          closable: false,
        }),
      },
    },
    status: 'fail',
    text: /is not yours alone: others may enter it/,
    fix: /chmod 700 x/,
    mended: { effects: { whyNotPrivate: async () => null } },
  },
  {
    rule: 'workspace-root',
    broken: { effects: { folder: async () => ({ nearest: '/srv', exists: false, problem: 'no' }) } },
    status: 'fail',
    text: /cannot be created below \/srv: no/,
    fix: /Let this user write to \/srv, or set workspace\.root/,
    mended: { effects: { folder: async () => ({ nearest: '/srv', exists: false, problem: null }) } },
  },
  {
    rule: 'mirror-root',
    broken: { effects: { folder: async (path) => ({ nearest: path, exists: true, problem: 'no' }) } },
    status: 'fail',
    text: /cannot be used: no/,
    fix: /workspace\.mirror_root/,
    mended: {},
  },
  {
    rule: 'journal',
    broken: { effects: { readJournal: rejecting('it is no journal', '') } },
    status: 'warn',
    text: /it is no journal/,
    fix: /moves a damaged journal aside/,
    mended: { effects: { readJournal: async () => null } },
  },
  {
    rule: 'tracker-credential',
    broken: { workflow: hosted('kind: github').replace('$LINEAR_API_KEY', 'dummy_written_key') },
    status: 'warn',
    text: /written into the workflow file itself/,
    fix: /tracker\.api_key: \$NAME/,
    mended: { workflow: hosted('kind: github') },
  },
  {
    rule: 'tracker',
    broken: { effects: { askTracker: async () => ({ issues: 1, warnings: ['TASK-2.md: no title'] }) } },
    status: 'warn',
    text: /1 issue in .*but:\nTASK-2\.md: no title/,
    fix: /issues --explain/,
    mended: { effects: { askTracker: async () => ({ issues: 2, warnings: [] }) } },
  },
  {
    rule: 'tracker-labels',
    broken: {
      workflow: hosted('kind: github'),
      effects: { readLabels: async () => ({ missing: ['Todo'], existing: ['to do'] }) },
    },
    status: 'warn',
    text: /the repository lacks: Todo/,
    fix: /aiops labels sync.*did you mean its label to do\?/,
    mended: {
      workflow: hosted('kind: github'),
      effects: { readLabels: async () => ({ missing: [], existing: ['Todo'] }) },
    },
  },
  {
    rule: 'label-states',
    broken: {
      workflow: hosted('kind: gitea, active_states: [ai-ready]'),
      effects: { stateLabels: () => LABELS },
    },
    status: 'fail',
    text: /no label stands for the state "ai-ready", so no issue is ever in it/,
    fix: /tracker\.provider\.state_labels: \{"ai-ready": Todo\}/,
    mended: {
      workflow: hosted('kind: gitea, active_states: [ai-ready]'),
      effects: { stateLabels: () => ({ labels: [{ label: 'ai-ready', state: 'ai-ready' }] }) },
    },
  },
  {
    rule: 'tracker-states',
    broken: {
      workflow: hosted('kind: linear, project_slug: app, active_states: [Tood]'),
      effects: { workflowStates: async () => ['Todo', 'Done'] },
    },
    status: 'fail',
    text: /linear has no state "Tood"/,
    fix: /Did you mean Todo\? It has Todo, Done/,
    mended: {
      workflow: hosted('kind: linear, project_slug: app, active_states: [Todo]'),
      effects: { workflowStates: async () => ['Todo', 'Done'] },
    },
  },
  {
    rule: 'writable-folders',
    broken: { workflow: `${SANDBOX.replace('{enabled', '{writable_folders: [/srv/app.git], enabled')}` },
    status: 'fail',
    text: /sandbox\.writable_folders: \/srv\/app\.git gives agents the repository that the worker pushes to .*a hook left there would run in the worker/,
    fix: /Take \/srv\/app\.git out of sandbox\.writable_folders: `git push` reaches it through the worker\. Or set repo\.push: agent/,
    mended: { workflow: `${SANDBOX.replace('{enabled', '{writable_folders: [/srv/cache], enabled')}` },
  },
  {
    rule: 'clone-path',
    broken: { effects: { isRepository: async () => 'folder' } },
    status: 'fail',
    text: /\/srv\/app\.git is a folder, but no git repository/,
    fix: /git -C \/srv\/app\.git init/,
    mended: { effects: { isRepository: async () => 'repository' } },
  },
  {
    rule: 'repository',
    broken: { effects: { remoteBranches: async () => ['master'] } },
    status: 'fail',
    text: /no branch main \(it has master\)/,
    fix: /Did you mean master\? Set repo\.default_branch/,
    mended: {
      workflow: LOCAL.replace('default_branch: main', 'default_branch: master'),
      effects: { remoteBranches: async () => ['master'] },
    },
  },
  {
    rule: 'way-to-push',
    broken: {
      workflow: `tracker: {kind: local}\nrepo: {clone_url: "${FORGE}", push: agent}\nagent: {default: codex-app-server}`,
      identity: 'forge.invalid/a/app',
    },
    status: 'fail',
    text: /Codex's sandbox has no network: the agent cannot reach the remote/,
    fix: /Remove repo\.push.*networkAccess: true/,
    mended: {
      workflow: `tracker: {kind: local}\nrepo: {clone_url: "${FORGE}"}\nagent: {default: codex-app-server}`,
      identity: 'forge.invalid/a/app',
    },
  },
  {
    rule: 'push',
    broken: { effects: { tryPush: rejecting('a dry run of a push failed: 403', 'Give git a credential.') } },
    status: 'fail',
    text: /dry run of a push failed: 403/,
    fix: /repo\.token: \$NAME/,
    mended: {
      workflow: LOCAL.replace('/srv/app.git', `"${FORGE}", token: $LINEAR_API_KEY`),
      identity: 'forge.invalid/a/app',
    },
  },
  {
    rule: 'verify-commands',
    broken: {
      workflow: `${CLAUDE}\nverify: {commands: [npm test]}\nclaude: {disallowed_tools: ["Bash(npm:*)"]}`,
    },
    status: 'fail',
    text: /claude\.disallowed_tools forbids what verify\.commands asks for: npm test/,
    fix: /Take one of the two out/,
    mended: { workflow: `${CLAUDE}\nverify: {commands: [npm test]}` },
  },
  {
    rule: 'agent-codex-app-server',
    broken: { workflow: CODEX, effects: { findProgram: async () => null } },
    status: 'fail',
    text: /codex\.command was not found: codex app-server/,
    fix: /npm install -g @openai\/codex@0\.166\.0/,
    mended: { workflow: CODEX },
  },
  {
    rule: 'agent-claude',
    broken: { workflow: CLAUDE, effects: { findProgram: async () => null } },
    status: 'fail',
    text: /claude\.command was not found: claude/,
    fix: /npm install -g @anthropic-ai\/claude-code/,
    mended: { workflow: CLAUDE },
  },
  {
    rule: 'sign-in-codex-app-server',
    broken: { workflow: CODEX, effects: answering('Not logged in', 1) },
    status: 'fail',
    text: /Codex is not signed in: Not logged in/,
    fix: /Run `codex login`/,
    mended: { workflow: CODEX, effects: answering('Logged in using ChatGPT') },
  },
  {
    rule: 'sign-in-claude',
    broken: { workflow: CLAUDE, effects: answering('{"loggedIn": false}', 1) },
    status: 'fail',
    text: /Claude is not signed in/,
    fix: /claude auth login.*claude\.env_passthrough: \[ANTHROPIC_API_KEY\]/,
    mended: { workflow: CLAUDE, effects: answering('{"loggedIn": true, "authMethod": "api_key"}') },
  },
  {
    rule: 'handshake-codex-app-server',
    broken: { workflow: CODEX, effects: { tryAgent: rejecting('Codex exited with code 1', 'Update it.') } },
    status: 'fail',
    text: /Codex exited with code 1/,
    fix: /Update it/,
    mended: { workflow: CODEX },
  },
  {
    rule: 'handshake-claude',
    broken: {
      workflow: CLAUDE,
      effects: {
        ...answering('{"loggedIn": false}', 1),
        tryAgent: rejecting('Claude exited with code 1', 'Run it by hand.'),
      },
    },
    status: 'fail',
    text: /Claude exited with code 1; Claude is not signed in/,
    fix: /claude auth login/,
    mended: { workflow: CLAUDE },
  },
  {
    rule: 'sandbox',
    broken: { workflow: SANDBOX, effects: { trySandbox: async () => missing('bwrap') } },
    status: 'fail',
    text: /bwrap was not found/,
    fix: /Install the package bubblewrap/,
    mended: { workflow: SANDBOX },
  },
  {
    rule: 'port',
    broken: { workflow: `${LOCAL}\nserver: {port: 4000}`, effects: held },
    status: 'fail',
    text: /held by nginx \(pid 7\)/,
    fix: /Stop it/,
    mended: { workflow: `${LOCAL}\nserver: {port: 4000}` },
  },
  {
    rule: 'api-access',
    broken: { workflow: `${LOCAL}\nserver: {host: 0.0.0.0}` },
    status: 'warn',
    text: /0\.0\.0\.0 listens beyond this machine/,
    fix: /AIOPS_STATE_API_TOKEN/,
    mended: {
      workflow: `${LOCAL}\nserver: {host: 0.0.0.0}`,
      effects: { tokenLengths: async () => ({ full: 64, readOnly: null }) },
    },
  },
  {
    rule: 'kept-rescues',
    broken: {
      effects: {
        keptRescues: async () =>
          ['ENG-1', 'ENG-2'].map((identifier) => ({
            id: `x-${identifier}`,
            identifier,
            dropCommand: 'drop it',
          })),
      },
    },
    status: 'warn',
    text: /2 rescues are beyond .* nowhere else \(ENG-1, ENG-2\)/,
    fix: /Run `aiops rescues`/,
    mended: { effects: { keptRescues: async () => [] } },
  },
  {
    rule: 'foreign-pushes',
    broken: {
      effects: {
        foreignPushes: async () =>
          ['ENG-1', 'ENG-2'].map((identifier) => ({
            identifier,
            branch: `ai/${identifier}`,
            commit: '0123456789abcdef0123456789abcdef01234567',
            author: 'Ann <ann@example.com>',
          })),
      },
    },
    status: 'warn',
    text: /ai\/ENG-1 got commit 0123456789ab by Ann <ann@example\.com> after the last run of ENG-1 .* not through this worker; the same for 1 more/,
    fix: /stop one of the two.*required_labels.*If it was a person, nothing/,
    mended: { effects: { foreignPushes: async () => [] } },
  },
  {
    rule: 'scope-lease',
    broken: { effects: { findScopeHolder: async () => scopeHolder('/srv/other/WORKFLOW.md') } },
    status: 'fail',
    text: /works on the same issues/,
    fix: /Stop the other one/,
    mended: { effects: { findScopeHolder: async () => scopeHolder('/srv/team/WORKFLOW.md') } },
  },
];

async function find(rule: string, given: Case): Promise<Finding> {
  const checks = checksFor(given).filter(({ id }) => id === rule);
  const options = { timeoutMs: 5_000, redact: (text: string) => text, onProgress() {} };
  const [finding] = await runChecks(checks, options);
  if (finding === undefined) throw new Error(`the rule ${rule} does not apply to this set-up`);
  return finding;
}

test.each(PAIRS)(
  '$rule objects to a broken set-up, says how to mend it, and passes the mended one',
  async ({ rule, broken, status, text, fix, mended }) => {
    const found = await find(rule, broken);
    expect(found).toMatchObject({ status, text: expect.stringMatching(text) });
    expect(found.fix).toMatch(fix);
    expect(await find(rule, mended)).toMatchObject({ status: 'ok', fix: null });
  },
);

/**
 * What objects to nothing: `rest` stands in the report when there is nothing to check, and `stray-processes` tells which of
 * two things holds on this machine, neither of them a fault (rules.test.ts has both).
 */
const NO_OBJECTION: ReadonlySet<string> = new Set(['rest', 'stray-processes']);

test('every rule has such a pair', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const sources = files.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  const idsIn = (source: string): readonly string[] =>
    [...source.matchAll(/^\s+id: ['`]([a-z-]+?)(?:-\$\{agent\.id\})?['`],$/gm)].map(([, id]) => id ?? '');
  // A check whose id this test cannot read would have no pair either.
  const makesChecks = (source: string): number => source.match(/^\s+needs: '\w+',$/gm)?.length ?? 0;
  for (const [name, source] of sources)
    expect([name, idsIn(source).length]).toEqual([name, makesChecks(source)]);
  const rules = sources.flatMap(([, source]) => idsIn(source)).filter((id) => !NO_OBJECTION.has(id));
  expect(rules.length).toBeGreaterThan(20);
  const paired = (id: string): boolean =>
    PAIRS.some(({ rule }) => rule === id || (AGENT_RULES.has(id) && rule.startsWith(`${id}-`)));
  expect(rules.filter((id) => !paired(id))).toEqual([]);
});

/** Their ids end with that of the agent. */
const AGENT_RULES: ReadonlySet<string> = new Set(['agent', 'sign-in', 'handshake']);
