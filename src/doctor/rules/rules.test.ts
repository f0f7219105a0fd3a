import { describe, expect, test } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import type { Evaluation } from '../../config/read/evaluate.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { AppError } from '../../errors/app-error.ts';
import type { CommandResult } from '../../process/children/child.ts';
import type { Check } from '../check.ts';
import { handshakeCheck } from './agent/handshake.ts';
import { mockBySurprise } from './agent/mock-by-surprise.ts';
import { reachableAgents } from './agent/reachable-agents.ts';
import { signInCheck } from './agent/sign-in.ts';
import { verifyCommands } from './agent/verify-commands.ts';
import { strayProcesses } from './machine/stray-processes.ts';
import { agentPush } from './repository/agent-push.ts';
import { clonePath } from './repository/clone-path.ts';
import { pushCheck } from './repository/push.ts';
import { repositoryCheck } from './repository/repository.ts';
import { labelStates } from './tracker/label-states.ts';
import { trackerStates } from './tracker/tracker-states.ts';
import { variableInside } from './workflow/variable-inside.ts';

const never = new AbortController().signal;
const SECRETS = { LINEAR_API_KEY: 'lin_dummy_key', GITEA_TOKEN: 'gitea_dummy', GITHUB_TOKEN: 'gh_dummy' };

function evaluate(frontMatter: string): Evaluation {
  const file = '/srv/team/WORKFLOW.md';
  return evaluateWorkflow(`---\n${frontMatter}\n---\nGo.\n`, {
    file,
    environment: { HOME: '/home/me', ...SECRETS },
  });
}

async function judge(check: Check): Promise<readonly Verdict[]> {
  const found = await check.run(never);
  return 'status' in found ? [found] : found;
}

/** A variable in braces. */
const braced = (name: string) => `$\{${name}}`;
const REPO = 'repo: {clone_url: "https://forge.invalid/a/app.git"}';
const LABELS = [
  { label: 'aiops/todo', state: 'Todo' },
  { label: 'aiops/in-progress', state: 'In Progress' },
  { label: 'aiops/done', state: 'Done' },
];

describe('the mock agent that nobody asked for', () => {
  const mock = (text: string) => {
    const { config, provenance } = evaluate(text);
    return judge(mockBySurprise(config, provenance));
  };

  test.each(['github', 'gitea', 'linear'])(
    'is refused on the issues of %s, and says what to write',
    async (kind) => {
      const [found] = await mock(`tracker: {kind: ${kind}, project_slug: app}\n${REPO}`);
      expect(found).toMatchObject({ status: 'fail', key: 'agent.default' });
      expect(found?.text).toContain(`the mock agent would work on the issues of ${kind}`);
      expect(found?.fix).toMatch(/agent\.default: codex-app-server.*or agent\.default: mock/);
    },
  );

  test.each([
    `tracker: {kind: github}\n${REPO}\nagent: {default: mock}`,
    `tracker: {kind: github}\n${REPO}\nagent: {default: claude}`,
    'tracker: {kind: local}\nrepo: {clone_url: /srv/app.git}',
    'tracker: {kind: linear, project_slug: app}',
  ])('passes when it is meant, when another is chosen, and on a folder of issues: %s', async (text) => {
    expect(await mock(text)).toMatchObject([{ status: 'ok' }]);
  });
});

describe('what agents leave running', () => {
  const look = (text: string, found: { own: string } | { why: string }) =>
    judge(
      strayProcesses(evaluate(`tracker: {kind: local}\n${text}`).config, { probeCgroups: async () => found }),
    );
  const none = { why: 'this user may not make one' };

  test('is found by cgroup where there is one', async () => {
    expect(await look('', { own: '/sys/fs/cgroup/x' })).toMatchObject([
      { status: 'ok', text: 'each agent has a cgroup of its own, below /sys/fs/cgroup/x' },
    ]);
  });

  test('may be missed where there is none, and how to get one is said', async () => {
    const [verdict] = await look('', none);
    expect(verdict).toMatchObject({ status: 'ok' });
    expect(verdict?.text).toMatch(
      /without cgroups: this user may not make one;.*may outlive.*systemd-run --user/,
    );
  });

  test('is ended by bubblewrap all the same', async () => {
    const [verdict] = await look('sandbox: {enabled: true, backend: bubblewrap}', none);
    expect(verdict?.text).toMatch(/; bubblewrap ends what leaves the session of an agent$/);
  });
});

describe('a variable inside of a longer value', () => {
  const inside = (text: string) => judge(variableInside(evaluate(text).texts));

  test('in the address of the repository fails and points to repo.token', async () => {
    const [found] = await inside(
      'tracker: {kind: local}\nrepo: {clone_url: "https://$TOKEN@forge.invalid/a/b.git"}',
    );
    expect(found).toMatchObject({ status: 'fail', key: 'repo.clone_url' });
    expect(found?.text).toContain('$TOKEN');
    expect(found?.fix).toContain('repo.token: $TOKEN');
    expect(
      await inside('tracker: {kind: local}\nrepo: {clone_url: "https://forge.invalid/a/b.git"}'),
    ).toMatchObject([{ status: 'ok' }]);
  });

  test.each([
    [`repo: {clone_url: "https://${braced('HOST')}/a/b.git"}`, 'fail', 'put all of it into a variable'],
    ['server: {host: "$NAME.example"}', 'warn', 'server.host: $NAME_OF_THE_VARIABLE'],
    ['notifications: {slack_url: "https://hooks.invalid/$PART"}', 'warn', 'notifications.slack_url'],
  ])('%s: %s', async (line, status, fix) => {
    const [found] = await inside(`tracker: {kind: local}\n${line}`);
    expect(found?.status).toBe(status);
    expect(found?.fix).toContain(fix);
  });

  test('never shows a part of a credential', async () => {
    const [found] = await inside('tracker: {kind: linear, project_slug: a, api_key: "abc$secretpart"}');
    expect(found?.status).toBe('warn');
    expect(`${found?.text} ${found?.fix}`).not.toContain('secretpart');
  });

  test.each([
    `workspace: {root: "$HOME/work", mirror_root: "${braced('HOME')}/mirrors"}`,
    'hooks: {after_create: "git clone $URL ."}',
    'hooks: {before_run: {commands: ["echo $AIOPS_BRANCH"]}}',
    'codex: {command: "FOO=$HOME codex app-server"}',
    'agent: {profiles: {big: {runner: claude, claude: {command: "claude --model $M", allowed_tools: ["Bash(echo $X)"]}}}}',
    'verify: {commands: ["test -n $HOME"]}',
    'repo: {clone_url: "$HOME/app.git"}',
    'tracker: {kind: linear, api_key: $LINEAR_API_KEY, project_slug: a}',
  ])('passes where it is expanded or read by a shell: %s', async (line) => {
    const tracker = line.startsWith('tracker') ? '' : 'tracker: {kind: local}\n';
    expect(await inside(`${tracker}${line}`)).toMatchObject([{ status: 'ok' }]);
  });

  test('in a path is expanded', () => {
    const { config } = evaluate(
      `tracker: {kind: local, path: "$HOME/issues"}\nrepo: {clone_url: "$HOME/app.git"}\nworkspace: {root: "${braced('HOME')}/work/x"}`,
    );
    expect(config.workspace.root).toBe('/home/me/work/x');
    expect(config.tracker.provider['path']).toBe('/home/me/issues');
    expect(config.repo?.cloneUrl).toBe('/home/me/app.git');
    const { problems } = evaluate('tracker: {kind: local}\nworkspace: {root: "$NOT_THERE/work"}');
    expect(problems).toMatchObject([
      { key: 'workspace.root', message: expect.stringContaining('NOT_THERE') },
    ]);
  });
});

describe('a state that no label stands for', () => {
  const states = (text: string) => {
    const { config, provenance } = evaluate(`tracker: {kind: gitea, ${text}}\n${REPO}`);
    return judge(labelStates(config, provenance, () => ({ labels: LABELS })));
  };

  test.each([
    ['active_states: [ai-ready]', 'fail', '"ai-ready"', 'tracker.provider.state_labels: {"ai-ready": Todo}'],
    ['active_states: [aiops/todo]', 'fail', '"aiops/todo"', 'Write the state: Todo'],
    ['active_states: [Todo, In Progres]', 'warn', '"In Progres"', 'Did you mean In Progress?'],
    ['terminal_states: [Dnoe, Closed]', 'warn', '"Dnoe"', 'Did you mean Done?'],
  ])('%s: %s', async (text, status, named, fix) => {
    const [found] = await states(text);
    expect(found).toMatchObject({
      status,
      key: expect.stringMatching(/^tracker\.(active|terminal)_states$/),
    });
    expect(found?.text).toContain(named);
    expect(found?.fix).toContain(fix);
  });

  test('passes with states of the table, and with the defaults', async () => {
    expect(await states('active_states: [todo, In Progress], terminal_states: [Done, Closed]')).toMatchObject(
      [{ status: 'ok' }],
    );
    expect(await states('team_key: null')).toMatchObject([{ status: 'ok' }]);
  });
});

describe('a state that Linear does not have', () => {
  const there = ['Backlog', 'Todo', 'In Progress', 'Done'];
  const states = (active: string) => {
    const { config } = evaluate(`tracker: {kind: linear, project_slug: app, active_states: ${active}}`);
    return judge(trackerStates(config, false, { workflowStates: async () => there }));
  };

  test('is named with the one that was meant, and stops only when none is left', async () => {
    expect(await states('[Todo, In Progess]')).toMatchObject([
      {
        status: 'warn',
        key: 'tracker.active_states',
        fix: expect.stringContaining('Did you mean In Progress? It has Backlog'),
      },
    ]);
    expect(await states('[Tood]')).toMatchObject([
      { status: 'fail', text: expect.stringContaining('"Tood"') },
    ]);
    expect(await states('[todo, In Progress]')).toMatchObject([{ status: 'ok' }]);
  });
});

describe('a repository that cannot be cloned', () => {
  const { repo } = evaluate('tracker: {kind: local}\nrepo: {clone_url: /srv/app}').config;
  if (repo === null) throw new Error('the workflow has a repository');

  test.each([
    ['missing', 'does not exist', 'Correct the path'],
    ['folder', 'no git repository', 'git -C /srv/app init'],
    ['file', 'a file', 'the folder of the repository'],
  ] as const)('a path that is %s fails', async (found, text, fix) => {
    const [verdict] = await judge(clonePath(repo, '/srv/app', { isRepository: async () => found }));
    expect(verdict).toMatchObject({ status: 'fail', key: 'repo.clone_url' });
    expect(verdict?.text).toContain(text);
    expect(verdict?.fix).toContain(fix);
  });

  test('a repository passes', async () => {
    const rule = clonePath(repo, '/srv/app', { isRepository: async () => 'repository' });
    expect(await judge(rule)).toMatchObject([{ status: 'ok' }]);
  });

  test.each([
    [[], 'is empty', 'git push origin HEAD:main'],
    [['mian', 'next'], 'no branch main', 'Did you mean mian?'],
    [['master'], 'no branch main', 'Did you mean master?'],
  ])('a remote with the branches %j fails', async (branches, text, fix) => {
    const place = { identity: 'forge.invalid/a/app', offline: false };
    const [verdict] = await judge(repositoryCheck(repo, place, { remoteBranches: async () => branches }));
    expect(verdict?.status).toBe('fail');
    expect(verdict?.text).toContain(text);
    expect(verdict?.fix).toContain(fix);
    expect(await judge(repositoryCheck(repo, place, { remoteBranches: async () => ['main'] }))).toMatchObject(
      [{ status: 'ok' }],
    );
  });
});

/** A Codex whose settings say nothing. */
const CLOSED = {
  readText: async () => '',
  agentEnvironment: async () => ({}),
};

describe('verify commands that the agent may not run', () => {
  const verify = (text: string) => {
    const { config } = evaluate(
      `tracker: {kind: local}\nrepo: {clone_url: /srv/app}\nverify: {commands: [npm test]}\n${text}`,
    );
    return judge(verifyCommands(config, reachableAgents(config), CLOSED));
  };

  test.each([
    [
      'agent: {default: claude}\nclaude: {disallowed_tools: [Bash]}',
      'fail',
      'claude.disallowed_tools',
      'Take one of the two out',
    ],
    [
      'agent: {default: claude}\nclaude: {disallowed_tools: ["Bash(npm:*)"]}',
      'fail',
      'claude.disallowed_tools',
      'Take one',
    ],
    [
      'agent: {default: claude}\nclaude: {disallowed_tools: ["Bash(npm test)"]}',
      'fail',
      'claude.disallowed_tools',
      'Take one',
    ],
    [
      'agent: {default: claude}\nclaude: {permission_mode: plan}',
      'fail',
      'claude.permission_mode',
      'acceptEdits',
    ],
    [
      'agent: {default: codex-app-server}\ncodex: {thread_sandbox: read-only}',
      'fail',
      'codex.thread_sandbox',
      'workspace-write',
    ],
    [
      'agent: {default: codex-app-server}\ncodex: {approval_policy: untrusted}',
      'warn',
      'codex.approval_policy',
      'never',
    ],
    ['agent: {default: acp}\nacp: {command: my-agent, permissions: ask}', 'warn', 'acp.permissions', 'allow'],
  ])('%s: %s', async (text, status, key, fix) => {
    const [found] = await verify(text);
    expect(found).toMatchObject({ status, key });
    expect(found?.fix).toContain(fix);
  });

  test.each([
    'npm ci',
    'cd web && npm install',
    'pip install -r requirements.txt',
    'curl -f http://x.invalid',
  ])("%s fetches, which Codex's sandbox does not let it", async (command) => {
    const rule = (more: string, network = false) => {
      const { config } = evaluate(
        `tracker: {kind: local}\nverify: {commands: [${JSON.stringify(command)}, npm test]}\nagent: {default: codex-app-server}\n${more}`,
      );
      const readText = async () => `network_access = ${network}\n`;
      return judge(verifyCommands(config, reachableAgents(config), { ...CLOSED, readText }));
    };
    const [found] = await rule('');
    expect(found).toMatchObject({ status: 'warn', key: 'verify.commands' });
    expect(found?.text).toContain(`fetches: ${command}`);
    expect(found?.text).not.toContain('npm test');
    expect(found?.fix).toMatch(/hooks\.after_create.*networkAccess: true/);
    const open = 'codex: {turn_sandbox_policy: {type: workspaceWrite, networkAccess: true}}';
    expect(await rule(open)).toMatchObject([{ status: 'ok' }]);
    expect(await rule('', true)).toMatchObject([{ status: 'ok' }]);
  });

  test('a command that Claude has no exact notation for is refused only where nobody is asked', async () => {
    const commands = 'verify: {commands: ["ls *.ts"]}\nagent: {default: claude}';
    const rule = (mode: string) => {
      const { config } = evaluate(`tracker: {kind: local}\n${commands}\nclaude: {permission_mode: ${mode}}`);
      return judge(verifyCommands(config, reachableAgents(config), CLOSED));
    };
    expect(await rule('dontAsk')).toMatchObject([{ status: 'fail', fix: expect.stringContaining('script') }]);
    expect(await rule('acceptEdits')).toMatchObject([{ status: 'ok' }]);
  });

  test.each([
    'agent: {default: claude}',
    'agent: {default: claude}\nclaude: {disallowed_tools: [WebFetch, "Bash(npm publish:*)"]}',
    'agent: {default: codex-app-server}',
    'agent: {default: acp}\nacp: {command: my-agent, permissions: allow}',
  ])('they are allowed by default: %s', async (text) => {
    expect(await verify(text)).toMatchObject([{ status: 'ok' }]);
  });
});

describe('an agent that cannot push by the chosen way', () => {
  const ways = { gitSignsIn: true, network: false };
  const push = (text: string, given: Partial<typeof ways> = {}, remote = true) => {
    const { config } = evaluate(`tracker: {kind: local}\n${text}`);
    if (config.repo === null) throw new Error('the workflow has a repository');
    const facts = { ...ways, ...given };
    return judge(
      agentPush(
        config.repo,
        { agents: reachableAgents(config), remote },
        {
          gitSignsIn: async () => facts.gitSignsIn,
          readText: async () => `network_access = ${facts.network}\n`,
          agentEnvironment: async () => ({}),
        },
      ),
    );
  };
  const CODEX = 'agent: {default: codex-app-server}';
  const BY_AGENT = 'repo: {clone_url: "https://forge.invalid/a/b.git", push: agent}';

  test("Codex's closed sandbox cannot reach the remote", async () => {
    const [found] = await push(`${BY_AGENT}\n${CODEX}`);
    expect(found).toMatchObject({
      status: 'fail',
      key: 'repo.push',
      text: expect.stringContaining('no network'),
    });
    expect(found?.fix).toMatch(/Remove repo\.push.*networkAccess: true/);
  });

  test('neither can a sandbox of the workflow without a network', async () => {
    const closed = 'sandbox: {enabled: true, backend: bubblewrap, network: none, env_allowlist: [PATH]}';
    expect(await push(`${BY_AGENT}\nagent: {default: claude}\n${closed}`)).toMatchObject([
      { status: 'fail', fix: expect.stringContaining('sandbox.network: normal') },
    ]);
  });

  test('an agent without a credential is doubtful', async () => {
    const [found] = await push(`${BY_AGENT}\nagent: {default: claude}`, { gitSignsIn: false });
    expect(found).toMatchObject({ status: 'warn', text: expect.stringContaining('no credential') });
    expect(found?.fix).toContain('credential helper');
  });

  test.each([
    [`repo: {clone_url: "https://forge.invalid/a/b.git"}\n${CODEX}`, {}],
    [`${BY_AGENT}\n${CODEX}`, { network: true }],
    [`${BY_AGENT}\n${CODEX}\ncodex: {thread_sandbox: danger-full-access}`, {}],
    [`${BY_AGENT}\n${CODEX}\ncodex: {turn_sandbox_policy: {type: workspaceWrite, networkAccess: true}}`, {}],
    [
      'repo: {clone_url: "https://u:dummy@forge.invalid/a/b.git", push: agent}\nagent: {default: claude}',
      { gitSignsIn: false },
    ],
  ])('passes when it can: %s', async (text, given) => {
    expect(await push(text, given)).toMatchObject([{ status: 'ok' }]);
  });

  test('passes on a repository of this machine', async () => {
    expect(await push(`repo: {clone_url: /srv/app, push: agent}\n${CODEX}`, {}, false)).toMatchObject([
      { status: 'ok' },
    ]);
  });
});

describe('what only the doctor asks', () => {
  const { config } = evaluate(
    'tracker: {kind: local}\nrepo: {clone_url: /srv/app}\nagent: {default: codex-app-server, profiles: {c: {runner: claude}}}',
  );
  const [codex, claude] = reachableAgents(config);
  if (codex === undefined || claude === undefined || config.repo === null)
    throw new Error('there are two agents');
  const { repo } = config;
  const said = (code: number, stdout: string, stderr = ''): CommandResult => {
    const rest = { signal: null, truncated: false, stdoutTruncated: false, durationMs: 1, spawnError: null };
    return { outcome: 'exited', code, stdout, stderr, ...rest };
  };
  const effects = {
    agentEnvironment: async () => ({}),
    programOf: (command: string) => command.split(' ')[0] ?? null,
    findProgram: async (program: string) => `/bin/${program}`,
    readText: async () => '',
    runProgram: async () => said(0, ''),
  };

  test.each([
    ['Codex', codex, said(1, '', 'WARNING: proceeding\nNot logged in\n'), 'fail', 'codex login'],
    ['Codex', codex, said(0, '', 'Logged in using ChatGPT\n'), 'ok', ''],
    ['Codex', codex, said(2, '', "error: unrecognized subcommand 'login'"), 'skip', ''],
    ['Claude', claude, said(1, '{"loggedIn": false, "authMethod": "none"}'), 'fail', 'claude auth login'],
    ['Claude', claude, said(0, '{"loggedIn": true, "authMethod": "api_key"}'), 'ok', ''],
    ['Claude', claude, said(1, 'error: unknown command'), 'skip', ''],
  ])('the sign-in of %s', async (_name, agent, result, status, fix) => {
    const [found] = await judge(signInCheck(agent, { ...effects, runProgram: async () => result }));
    expect(found?.status).toBe(status);
    expect(found?.fix ?? '').toContain(fix);
  });

  test('Codex with a model provider of its own needs no sign-in', async () => {
    const readText = async () => 'model_provider = "local"\n';
    const runProgram = async () => said(1, '', 'Not logged in');
    expect(await judge(signInCheck(codex, { ...effects, runProgram, readText }))).toMatchObject([
      { status: 'ok' },
    ]);
  });

  test('a push that the remote would refuse, and one that it would take', async () => {
    const place = { identity: 'forge.invalid/a/app', offline: false };
    const refused = new AppError('git_failed', 'a dry run failed: 403', { hint: 'Give git a credential.' });
    const [bad] = await judge(pushCheck(repo, place, { tryPush: () => Promise.reject(refused) }));
    expect(bad).toMatchObject({
      status: 'fail',
      heals: false,
      fix: expect.stringContaining('repo.token: $NAME'),
    });
    expect(await judge(pushCheck(repo, place, { tryPush: async () => {} }))).toMatchObject([
      { status: 'ok' },
    ]);
    const byAgent = { ...repo, push: 'agent' as const };
    expect(await judge(pushCheck(byAgent, place, { tryPush: async () => {} }))).toMatchObject([
      { status: 'skip' },
    ]);
  });

  test('a handshake is asked of a program that is there, and never of one that would be fetched', async () => {
    const tryAgent = async () => ({ ms: 1_234 });
    expect(await judge(handshakeCheck(codex, { ...effects, tryAgent }))).toMatchObject([
      { status: 'ok', text: expect.stringContaining('1.2 s') },
    ]);
    const fetched = { ...codex, command: 'npx @openai/codex app-server' };
    expect(await judge(handshakeCheck(fetched, { ...effects, tryAgent }))).toMatchObject([
      { status: 'skip' },
    ]);
    const silent = () => Promise.reject(new AppError('response_timeout', 'no answer'));
    await expect(judge(handshakeCheck(codex, { ...effects, tryAgent: silent }))).rejects.toThrow('no answer');
  });
});
