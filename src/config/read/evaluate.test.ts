import { describe, expect, it } from 'vitest';
import { AGENT_BLOCKS } from '../../../test/fakes/agent-blocks.ts';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import type { Evaluation } from './evaluate.ts';

const FILE = '/flows/WORKFLOW.md';
const UNWRITTEN = { portWritten: false, requireToken: 'actions', allowedOrigins: [] };

function evaluate(source: string, environment: Record<string, string> = {}): Evaluation {
  return evaluateWorkflow(source, {
    file: FILE,
    environment: { HOME: '/home/me', TMPDIR: '/tmp', ...environment },
  });
}

/** A file of the Symphony dialect that loads, with more front matter. */
function symphony(more = ''): Evaluation {
  return evaluate(`---\ntracker: {kind: local}\nhooks: {after_create: "true"}\n${more}\n---\nDo it.`);
}

/** A file of the Go dialect that loads, with more front matter. */
function go(more = ''): Evaluation {
  return evaluate(
    `---\ntracker: {kind: local}\nrepo: {clone_url: "https://git.example/acme/door.git"}\n${more}\n---\nDo it.`,
  );
}

const keysOf = (evaluation: Evaluation) => evaluation.problems.map(({ key }) => key);
const warned = (evaluation: Evaluation) => evaluation.warnings.map(({ key }) => key);

describe('defaults', () => {
  it('fills in the Go dialect (R-3.1-b, R-4.1.3-a, R-5.3.2-a, R-5.3.3-a, R-5.3.4-e, R-5.3.5-a, R-5.3.5-b, R-5.3.5-c, R-5.3.6-f, R-17.1-h, R-18.1-c, R-18.1-i)', () => {
    const { config, problems, warnings } = go();
    expect([problems, warnings]).toEqual([[], []]);
    expect(config).toEqual({
      workflowPath: FILE,
      dialect: 'go',
      promptTemplate: 'Do it.',
      promptLine: 6,
      repo: {
        owner: 'acme',
        name: 'door',
        cloneUrl: 'https://git.example/acme/door.git',
        defaultBranch: 'main',
        token: null,
        credential: null,
        push: 'worker',
      },
      forge: { kind: 'none', endpoint: null, repository: null, token: null },
      tracker: {
        kind: 'local',
        provider: { path: '/flows/issues', issue_prefix: 'TASK' },
        apiKey: null,
        apiKeyVariable: null,
        endpoint: null,
        assignee: null,
        place: '/flows/issues',
        part: null,
        isFolder: true,
        hasOneAssignee: true,
        forAgents: null,
        activeStates: ['Todo', 'In Progress'],
        terminalStates: ['Closed', 'Cancelled', 'Canceled', 'Duplicate', 'Done'],
        inactiveStates: ['Backlog', 'Human Review'],
        requiredLabels: [],
        trust: null,
        paginationMaxPages: 0,
      },
      polling: { intervalMs: 30_000 },
      workspace: {
        root: '/home/me/.local/state/aiops/flows-247442f35c93/workspaces',
        mirrorRoot: '/home/me/.local/state/aiops/flows-247442f35c93/mirrors',
        cloneDepth: null,
        partialClone: false,
        minFreeMb: 512,
      },
      hooks: {
        afterCreate: [],
        beforeRun: [],
        afterRun: [],
        beforeRemove: [],
        timeoutMs: 60_000,
        envPassthrough: [],
        sandbox: false,
      },
      agent: {
        kind: 'mock',
        command: '',
        environment: [],
        timeouts: { turnMs: 3_600_000, stallMs: 300_000 },
        options: AGENT_BLOCKS.codex,
        maxConcurrentAgents: 10,
        maxConcurrentAgentsByState: {},
        maxRetryBackoffMs: 300_000,
        timeoutMs: 1_800_000,
        noProgressRuns: 3,
        budgets: {
          run: { turns: 20, tokens: null, usd: null, runtimeSeconds: null },
          issue: { turns: 20, tokens: null, usd: null, runtimeSeconds: null },
          day: { turns: null, tokens: null, usd: null, runtimeSeconds: null },
          worker: { turns: null, tokens: null, usd: null, runtimeSeconds: null },
        },
        profiles: [],
      },
      agents: AGENT_BLOCKS,
      prompt: { delimit: false },
      policy: { mode: 'draft_pr' },
      verify: { commands: [] },
      sandbox: {
        enabled: false,
        backend: 'none',
        network: 'none',
        networkAllowlistCidrs: [],
        networkInterface: null,
        envAllowlist: [],
        credentialFiles: [],
        writableFolders: [],
      },
      server: { host: '127.0.0.1', port: 4000, ...UNWRITTEN, webhooks: { secret: null } },
      worker: { sshHosts: [], maxConcurrentAgentsPerHost: null },
      observability: { dashboardEnabled: null, refreshMs: 1000, renderIntervalMs: 16 },
      rescue: { keepDays: 30, maxMb: 2048 },
      journal: { keepDays: 90 },
      notifications: { webhookUrl: null, slackUrl: null, command: null, on: ['needs_you', 'delivered'] },
      secrets: [],
    });
  });

  it('differs in the Symphony dialect only where Symphony does (R-5.2-a, R-6.4-b, R-5.3.1-c)', () => {
    const { config, problems, warnings } = symphony();
    expect([problems, warnings]).toEqual([[], []]);
    const usual = go().config;
    const linearGraphql = { allowMutations: true, allowedMutations: [] };
    const codex = { ...usual.agents['codex'], linearGraphql };
    expect(config).toEqual({
      ...usual,
      dialect: 'symphony',
      repo: null,
      hooks: { ...usual.hooks, afterCreate: ['true'] },
      agent: {
        ...usual.agent,
        kind: 'codex-app-server',
        command: 'codex app-server',
        environment: ['CODEX_HOME'],
        options: codex,
        timeoutMs: 20 * 3_600_000,
      },
      agents: { ...usual.agents, codex },
    });
  });

  it.each([
    ['tracker', 'tracker: {kind: local, active_states: [Doing]}', { tracker: { activeStates: ['Doing'] } }],
    ['polling', 'polling: {interval_ms: 1234}', { polling: { intervalMs: 1234 } }],
    ['workspace', 'workspace: {root: /elsewhere}', { workspace: { root: '/elsewhere' } }],
    ['hooks', 'hooks: {after_create: make}', { hooks: { afterCreate: ['make'] } }],
    ['agent', 'agent: {max_turns: 7}', { agent: { budgets: { run: { turns: 7 } } } }],
    ['codex', 'codex: {command: other app-server}', { agent: { command: 'other app-server' } }],
  ])('understands the block %s of the SPEC (R-5.3-a)', (_, written, effect) => {
    const tracker = written.startsWith('tracker') ? '' : 'tracker: {kind: local}\n';
    const { config, problems } = evaluate(`---\n${tracker}${written}\n---\nGo.`);
    expect(problems).toEqual([]);
    expect(config).toMatchObject(effect);
  });

  it('lets a written allow_mutations win in either dialect', () => {
    const written = (allow: boolean) => `codex: {linear_graphql: {allow_mutations: ${allow}}}`;
    expect(go(written(true)).config.agents['codex']?.['linearGraphql']).toMatchObject({
      allowMutations: true,
    });
    expect(symphony(written(false)).config.agents['codex']?.['linearGraphql']).toMatchObject({
      allowMutations: false,
    });
  });

  it('says so when nothing fills the workspace', () => {
    expect(warned(evaluate('---\ntracker: {kind: local}\n---\n'))).toEqual(['repo']);
  });
});

describe('the file as a whole', () => {
  it.each([
    ['no front matter', 'Just a prompt.'],
    ['an empty block', '---\n---\nHi'],
    ['a block of comments', '---\n# nothing\n---\nHi'],
    ['an empty file', ''],
  ])('needs a tracker: %s (R-5.3.1-a, R-6.3-e)', (_, source) => {
    const { problems } = evaluate(source);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: 'unsupported_tracker_kind', key: 'tracker.kind', file: FILE });
  });

  it.each(['---\n- a\n- b\n---\n', '---\njust text\n---\n', '---\n42\n---\n'])(
    'refuses %j as no map (R-5.2-d, R-5.5-a)',
    (source) => {
      expect(evaluate(source).problems).toMatchObject([{ code: 'workflow_front_matter_not_a_map', line: 2 }]);
    },
  );

  it('reads an unclosed block as Symphony does when it is one, and names the missing fence when it is not', () => {
    const open = evaluate('---\ntracker: {kind: local}\nhooks: {before_run: make}');
    expect(open.problems).toEqual([]);
    expect(open.config.promptTemplate).toBe('');
    expect(open.warnings[0]?.message).toContain('never closed');
    for (const source of [
      '---\ntracker: {kind: local}\n\n# Do this\n\nDear agent, work.',
      '---\n',
      '---\n- a',
    ]) {
      const { problems } = evaluate(source);
      expect(problems[0]?.message).toMatch(/never closed|not set/);
    }
  });

  it('reports every problem at once, in file order, with line, key and hint', () => {
    const { problems } = evaluate(
      [
        '---',
        'tracker:',
        '  kind: linaer',
        '  active_states: Todo, In Progress',
        '  kind: linear',
        'agent:',
        '  max_turns: 0',
        '  default: gpt',
        '  fallback: mock',
        'server:',
        '  port: 70000',
        'repo:',
        '  name: door',
        '---',
      ].join('\n'),
    );
    expect(problems.map(({ line, key }) => `${line} ${key}`)).toEqual([
      '4 tracker.active_states',
      '5 tracker.kind',
      '7 agent.max_turns',
      '8 agent.default',
      '9 agent.fallback',
      '11 server.port',
      '12 repo.clone_url',
    ]);
    for (const { message, hint } of problems) {
      expect(message).not.toBe('');
      expect(hint).toMatch(/\.$/);
    }
  });

  it('stops listing somewhere', () => {
    const { problems } = go(`verify: {commands: [${'{},'.repeat(500)}]}`);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.message).toBe('there are 400 more');
  });

  it('says nothing about keys of a file that is not YAML', () => {
    const { problems, warnings } = evaluate('---\ntracker: [\n---\n');
    expect(problems.every(({ code, key }) => code === 'workflow_parse_error' && key === null)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('refuses front matter that is far too long', () => {
    const { problems } = evaluate(`---\na: ${'x'.repeat(200_000)}\n---\n`);
    expect(problems[0]?.message).toContain('KiB');
  });
});

describe('unknown keys', () => {
  it('are warnings with the nearest known key, at any depth (R-5.3-b, R-6.4-a)', () => {
    const { problems, warnings } = go(
      'agent: {max_turn: 3}\nwatchdog: 1\ncodex: {linear_graphql: {allow_mutation: yes}}',
    );
    expect(problems).toEqual([]);
    expect(warnings.map(({ key, hint }) => [key, hint])).toEqual([
      ['agent.max_turn', 'Did you mean max_turns?'],
      ['watchdog', expect.stringMatching(/^Known here: tracker, repo/)],
      ['codex.linear_graphql.allow_mutation', 'Did you mean allow_mutations?'],
    ]);
  });

  it('are kept for the adapter under tracker.provider, and named (R-5.3.1-d, R-5.3.1-e)', () => {
    const { config, warnings } = evaluate(
      '---\ntracker: {kind: local, provider: {colour: blue, nested: {a: [1]}}}\nhooks: {before_run: x}\n---\n',
    );
    expect(config.tracker.provider).toMatchObject({ colour: 'blue', nested: { a: [1] } });
    expect(warnings.map(({ key }) => key)).toEqual(['tracker.provider.colour', 'tracker.provider.nested']);
  });

  it('are counted when there are too many to name', () => {
    const { warnings } = go(Array.from({ length: 100 }, (_, n) => `zzz${n}: 1`).join('\n'));
    expect(warnings).toHaveLength(26);
    expect(warnings.at(-1)?.message).toContain('75 more');
  });
});

describe('removed keys', () => {
  it.each([
    ['pr: {draft: true}', 'pr'],
    ['safety: {}', 'safety'],
    ['workspace: {hooks: {}}', 'workspace.hooks'],
    ['codex: {profile: x}', 'codex.profile'],
    ['claude: {profile: x}', 'claude.profile'],
    ['claude: {linear_graphql: {}}', 'claude.linear_graphql'],
    ['claude: {driver: sdk}', 'claude.driver'],
    ['verify: {timeout: 1}', 'verify.timeout'],
    ['verify: {allow_failure: true}', 'verify.allow_failure'],
    ['verify: {env_passthrough: []}', 'verify.env_passthrough'],
    ['verify: {secret_scan: true}', 'verify.secret_scan'],
    ['policy: {allow_paths: []}', 'policy.allow_paths'],
    ['policy: {deny_paths: []}', 'policy.deny_paths'],
    ['policy: {max_changed_files: 1}', 'policy.max_changed_files'],
    ['policy: {max_changed_lines: 1}', 'policy.max_changed_lines'],
    ['policy: {max_changed_loc: 1}', 'policy.max_changed_loc'],
    ['agent: {policy_violation_budget: 1}', 'agent.policy_violation_budget'],
    ['agent: {fallback: mock}', 'agent.fallback'],
    ['agent: {max_retry_attempts: 1}', 'agent.max_retry_attempts'],
    ['agent: {max_timeout_retries: 1}', 'agent.max_timeout_retries'],
    ['codex: {command: codex exec --json}', 'codex.command'],
    ['codex: {approval_policy: {reject: {rules: true}}}', 'codex.approval_policy.reject'],
  ])('are refused with guidance: %s', (yaml, key) => {
    const { problems, warnings } = go(yaml);
    expect(problems.map((problem) => problem.key)).toEqual([key]);
    expect(problems[0]?.hint.length).toBeGreaterThan(10);
    expect(warnings).toEqual([]);
  });

  it.each(['codex', 'claude', 'acp'])('a quote that is never closed is a problem of %s.command', (agent) => {
    const { problems } = go(`${agent}: {command: "${agent} --flag 'open"}`);
    expect(problems.map(({ key, hint }) => [key, hint])).toEqual([[`${agent}.command`, 'Close it.']]);
  });

  it.each(['statuses', 'base_url', 'poll_interval_ms'])('tracker.%s is refused', (name) => {
    const { problems } = evaluate(`---\ntracker: {kind: local, ${name}: x}\nhooks: {before_run: x}\n---\n`);
    expect(problems.map(({ key }) => key)).toEqual([`tracker.${name}`]);
  });

  it('keys that never had an effect are warnings', () => {
    expect(warned(go('claude: {thread_sandbox: x}'))).toEqual(['claude.thread_sandbox']);
  });
});

describe('types', () => {
  it.each([
    ['polling: {interval_ms: invalid}', 'polling.interval_ms'],
    ['agent: {max_concurrent_agents: 0}', 'agent.max_concurrent_agents'],
    ['agent: {max_turns: 1.5}', 'agent.max_turns'],
    ['agent: {max_continuation_turns: 0}', 'agent.max_continuation_turns'],
    ['agent: {max_tokens_per_claim: -1}', 'agent.max_tokens_per_claim'],
    ['agent: {max_runtime_seconds_per_claim: -1}', 'agent.max_runtime_seconds_per_claim'],
    ['agent: {max_retry_backoff_ms: 0}', 'agent.max_retry_backoff_ms'],
    ['agent: {timeout: soon}', 'agent.timeout'],
    ['agent: {timeout: 30}', 'agent.timeout'],
    ['agent: {default: gemini}', 'agent.default'],
    ['agent: {budgets: {day: {usd: -1}}}', 'agent.budgets.day.usd'],
    ['agent: {budgets: {run: {turns: 0}}}', 'agent.budgets.run.turns'],
    ['agent: {no_progress_runs: 0}', 'agent.no_progress_runs'],
    ['agent: []', 'agent'],
    ['hooks: {timeout_ms: 0}', 'hooks.timeout_ms'],
    ['hooks: {before_run: {commands: x}}', 'hooks.before_run'],
    ['hooks: {before_run: [[a]]}', 'hooks.before_run'],
    ['hooks: {before_run: ""}', 'hooks.before_run'],
    ['codex: {command: "  "}', 'codex.command'],
    ['codex: {approval_policy: 7}', 'codex.approval_policy'],
    ['codex: {thread_sandbox: {}}', 'codex.thread_sandbox'],
    ['codex: {turn_sandbox_policy: text}', 'codex.turn_sandbox_policy'],
    ['codex: {turn_timeout_ms: 0}', 'codex.turn_timeout_ms'],
    ['codex: {read_timeout_ms: -5}', 'codex.read_timeout_ms'],
    ['codex: {env_passthrough: [""]}', 'codex.env_passthrough[0]'],
    ['claude: {command: ""}', 'claude.command'],
    ['claude: {permission_mode: yolo}', 'claude.permission_mode'],
    ['acp: {permissions: yolo}', 'acp.permissions'],
    ['agent: {default: acp}', 'agent.default'],
    ['claude: {max_turns: 0}', 'claude.max_turns'],
    ['claude: {max_budget_usd: -1}', 'claude.max_budget_usd'],
    ['claude: {allowed_tools: Bash}', 'claude.allowed_tools'],
    ['sandbox: {backend: docker}', 'sandbox.backend'],
    ['sandbox: {network: some}', 'sandbox.network'],
    ['sandbox: {enabled: perhaps}', 'sandbox.enabled'],
    ['server: {port: 0}', 'server.port'],
    ['server: {port: -2}', 'server.port'],
    ['server: {port: 65536}', 'server.port'],
    ['worker: {ssh_hosts: host}', 'worker.ssh_hosts'],
    ['worker: {max_concurrent_agents_per_host: 0}', 'worker.max_concurrent_agents_per_host'],
    ['workspace: {clone_depth: 0}', 'workspace.clone_depth'],
    ['workspace: {root: ""}', 'workspace.root'],
    ['observability: {refresh_ms: 0}', 'observability.refresh_ms'],
    ['rescue: {keep_days: -1}', 'rescue.keep_days'],
    ['journal: {keep_days: x}', 'journal.keep_days'],
    ['notifications: {on: [everything]}', 'notifications.on[0]'],
    ['notifications: {webhook_url: not an address}', 'notifications.webhook_url'],
    ['server: {webhooks: {secret: too-short}}', 'server.webhooks.secret'],
    ['notifications: {slack_url: "file:///etc/passwd"}', 'notifications.slack_url'],
    ['verify: {commands: npm test}', 'verify.commands'],
    ['policy: {mode: ""}', 'policy.mode'],
  ])('%s is refused by its key', (yaml, key) => {
    const { problems } = go(yaml);
    expect(problems.map((problem) => problem.key)).toEqual([key]);
    expect(problems[0]?.line).toBe(4);
    expect(problems[0]?.message).toContain(key);
  });

  it('takes scalars for what is meant when nothing is lost', () => {
    const { config, problems } = evaluate(
      '---\ntracker: {kind: local, required_labels: [1.10, true, ~]}\n' +
        'repo: {clone_url: x, name: 007, owner: 1.0}\nagent: {max_turns: "7"}\nsandbox: {enabled: off}\n---\n',
    );
    expect(problems).toEqual([]);
    expect(config.repo).toMatchObject({ owner: '1.0', name: '007' });
    expect(config.tracker.requiredLabels).toEqual(['1.10', 'true', '']);
    expect(config.agent.budgets.run.turns).toBe(7);
  });
});

describe('agent limits', () => {
  it('treats the Go keys and the budgets as one', () => {
    const short = go('agent: {max_turns: 5, max_tokens_per_claim: 900, max_runtime_seconds_per_claim: 60}')
      .config.agent;
    const long = go(
      'agent: {budgets: {run: {turns: 5}, issue: {tokens: 900, runtime_seconds: 60}, day: {usd: 2.5}}}',
    ).config.agent;
    expect(long.budgets.day.usd).toBe(2.5);
    expect({ ...long, budgets: { ...long.budgets, day: short.budgets.day } }).toEqual(short);
    expect(short.budgets).toMatchObject({ run: { turns: 5 }, issue: { turns: 5, tokens: 900 } });
  });

  it('refuses both names of one limit', () => {
    const { problems } = go('agent: {max_turns: 5, budgets: {run: {turns: 5}}}');
    expect(problems[0]?.message).toContain('agent.max_turns and agent.budgets.run.turns');
  });

  it('reads durations, and says when one is not above zero', () => {
    expect(go('agent: {timeout: 1h30m}').config.agent.timeoutMs).toBe(5_400_000);
    const zero = go('agent: {timeout: 0s}');
    expect(zero.config.agent.timeoutMs).toBe(1_800_000);
    expect(warned(zero)).toEqual(['agent.timeout']);
  });

  it('knows limits by state in either spelling', () => {
    const { config, problems } = go(
      'agent: {max_concurrent_agents_by_state: {in_progress: 2, " TODO ": 1, Odd: 3}}',
    );
    expect(problems).toEqual([]);
    expect(config.agent.maxConcurrentAgentsByState).toEqual({ 'in progress': 2, todo: 1, odd: 3 });
  });

  it('refuses bad limits by state in the Go dialect and skips them in the Symphony dialect (R-5.3.5-d)', () => {
    const yaml = 'agent: {max_concurrent_agents_by_state: {Todo: 0, x: many, In Progress: 1}}';
    expect(keysOf(go(yaml))).toEqual([
      'agent.max_concurrent_agents_by_state.Todo',
      'agent.max_concurrent_agents_by_state.x',
    ]);
    const lenient = symphony(yaml);
    expect(lenient.problems).toEqual([]);
    expect(lenient.config.agent.maxConcurrentAgentsByState).toEqual({ 'in progress': 1 });
    expect(lenient.warnings).toHaveLength(2);
    expect(
      keysOf(go('agent: {max_concurrent_agents_by_state: {In Progress: 1, in_progress: 2}}')),
    ).toHaveLength(1);
  });
});

describe('codex', () => {
  it('passes policies through in the Symphony dialect (R-5.3.6-a)', () => {
    const { config, problems } = symphony(
      'codex: {approval_policy: future, thread_sandbox: odd, turn_sandbox_policy: {type: x, readOnlyAccess: {type: y}}}',
    );
    expect(problems).toEqual([]);
    expect(config.agents['codex']).toMatchObject({
      approvalPolicy: 'future',
      threadSandbox: 'odd',
      turnSandboxPolicy: { type: 'x', readOnlyAccess: { type: 'y' } },
    });
  });

  it('translates the older approval form there', () => {
    const { config, warnings } = symphony(
      'codex: {approval_policy: {reject: {rules: false, sandbox_approval: true}}}',
    );
    expect(config.agents['codex']?.['approvalPolicy']).toMatchObject({
      granular: { rules: true, sandbox_approval: false },
    });
    expect(warnings.map(({ key }) => key)).toEqual(['codex.approval_policy.reject']);
  });

  it.each([
    ['{}', ['type']],
    ['{type: other}', ['type']],
    ['{type: dangerFullAccess, networkAccess: true}', ['networkAccess']],
    ['{type: readOnly}', ['networkAccess']],
    ['{type: readOnly, networkAccess: yes, access: x}', ['access']],
    ['{type: externalSandbox, networkAccess: true}', ['networkAccess']],
    [
      '{type: workspaceWrite, writableRoots: x, mode: y}',
      ['excludeSlashTmp', 'excludeTmpdirEnvVar', 'mode', 'networkAccess', 'writableRoots'],
    ],
  ])('checks turn_sandbox_policy %s in the Go dialect (R-5.3.6-b)', (policy, fields) => {
    const { problems } = go(`codex: {turn_sandbox_policy: ${policy}}`);
    const named = problems.map(({ key }) => key?.replace('codex.turn_sandbox_policy.', '')).sort();
    expect(
      named.filter(
        (field) => policy !== '{type: readOnly, networkAccess: yes, access: x}' || field !== 'networkAccess',
      ),
    ).toEqual(fields);
  });

  it('accepts complete policies', () => {
    for (const policy of [
      '{type: dangerFullAccess}',
      '{type: readOnly, networkAccess: false}',
      '{type: externalSandbox, networkAccess: enabled}',
      '{type: workspaceWrite, writableRoots: [/x], networkAccess: false, excludeTmpdirEnvVar: true, excludeSlashTmp: true}',
    ]) {
      expect(go(`codex: {turn_sandbox_policy: ${policy}}`).problems).toEqual([]);
    }
  });

  it('takes a negative stall timeout as off (R-5.3.6-f)', () => {
    expect(go('codex: {stall_timeout_ms: -1}').config.agents['codex']?.['stallTimeoutMs']).toBe(0);
  });

  it.each(['/usr/bin/codex exec', 'FOO=1 codex --model x exec -', 'cd x && codex exec'])(
    'refuses %s',
    (command) => {
      expect(keysOf(go(`codex: {command: "${command}"}`))).toEqual(['codex.command']);
    },
  );

  it.each(['codex app-server', 'codex --config x="exec" app-server', 'my-exec codex-like'])(
    'accepts %j',
    (command) => {
      expect(go(`codex: {command: '${command}'}`).problems).toEqual([]);
    },
  );

  it('checks the allowed mutations', () => {
    const { problems } = go('codex: {linear_graphql: {allowed_mutations: [a, a, "x y"]}}');
    expect(problems.map(({ key }) => key)).toEqual([
      'codex.linear_graphql.allowed_mutations',
      'codex.linear_graphql.allowed_mutations[1]',
      'codex.linear_graphql.allowed_mutations[2]',
    ]);
    const good = go('codex: {linear_graphql: {allow_mutations: true, allowed_mutations: [issueUpdate]}}');
    const mutations = { allowMutations: true, allowedMutations: ['issueUpdate'] };
    expect(good.config.agents['codex']?.['linearGraphql']).toEqual(mutations);
  });
});

describe('sandbox', () => {
  it('needs what its settings imply, all named at once', () => {
    const { problems } = go(
      'sandbox: {enabled: true, network: allowlist, network_allowlist_cidrs: [10.0.0.0/40, "::1/8"]}',
    );
    expect(problems.map(({ key }) => key).sort()).toEqual([
      'sandbox.backend',
      'sandbox.env_allowlist',
      'sandbox.network',
      'sandbox.network_allowlist_cidrs[0]',
      'sandbox.network_allowlist_cidrs[1]',
      'sandbox.network_interface',
    ]);
  });

  it('loads when complete', () => {
    const { config, problems } = go(
      'sandbox: {enabled: true, backend: firejail, network: allowlist, network_interface: eth0, ' +
        'network_allowlist_cidrs: [10.0.0.0/8], env_allowlist: [PATH], credential_files: [~/.codex/auth.json], writable_folders: [~/git/app.git]}',
    );
    expect(problems).toEqual([]);
    expect(config.sandbox.credentialFiles).toEqual(['/home/me/.codex/auth.json']);
    expect(config.sandbox.writableFolders).toEqual(['/home/me/git/app.git']);
  });
});

describe('hooks', () => {
  it('takes text, a list and a map', () => {
    const { config, problems } = go(
      'hooks:\n  after_create: |\n    one\n    two\n  before_run: [a, b]\n  after_run: {commands: [c]}\n  timeout_ms: 5',
    );
    expect(problems).toEqual([]);
    expect(config.hooks).toEqual({
      afterCreate: ['one\ntwo\n'],
      beforeRun: ['a', 'b'],
      afterRun: ['c'],
      beforeRemove: [],
      timeoutMs: 5,
      envPassthrough: [],
      sandbox: false,
    });
  });
});

describe('doubtful values', () => {
  it.each([
    ['polling: {interval_ms: 0}', 'polling.interval_ms'],
    ['policy: {mode: draft_prs}', 'policy.mode'],
    ['codex: {thread_sandbox: workspace_write}', 'codex.thread_sandbox'],
  ])('%s is a warning', (yaml, key) => {
    const evaluation = go(yaml);
    expect(evaluation.problems).toEqual([]);
    expect(warned(evaluation)).toEqual([key]);
  });

  it('polls as usual when the interval is not above zero', () => {
    expect(go('polling: {interval_ms: -5}').config.polling.intervalMs).toBe(30_000);
  });

  it.each(['-x', 'a..b', 'a b', 'x.lock', 'a~1'])('refuses the branch %j', (branch) => {
    const { problems } = evaluate(
      `---\ntracker: {kind: local}\nrepo: {clone_url: x, default_branch: "${branch}"}\n---\n`,
    );
    expect(problems.map(({ key }) => key)).toEqual(['repo.default_branch']);
  });

  it.each(['--upload-pack=x', 'https://x y/z'])('refuses the address %j', (address) => {
    const { problems } = evaluate(`---\ntracker: {kind: local}\nrepo: {clone_url: "${address}"}\n---\n`);
    expect(problems.map(({ key }) => key)).toEqual(['repo.clone_url']);
  });
});

describe('codex.prices', () => {
  it('prices cached input like input unless it says otherwise', () => {
    const written =
      'codex: {prices: {gpt-9: {input: 2, output: 8}, gpt-8: {input: 1, cached_input: 0.1, output: 4}}}';
    expect(go(written).config.agents['codex']?.['prices']).toEqual({
      'gpt-9': { input: 2, cachedInput: 2, output: 8 },
      'gpt-8': { input: 1, cachedInput: 0.1, output: 4 },
    });
  });

  it.each(['{gpt: 3}', '{gpt: {input: 1}}', '{gpt: {input: -1, output: 2}}', '[1]'])(
    'refuses %s by its key',
    (prices) => {
      const { problems } = go(`codex: {prices: ${prices}}`);
      expect(problems.length).toBeGreaterThan(0);
      for (const { key } of problems) expect(key).toMatch(/^codex\.prices/);
    },
  );
});
