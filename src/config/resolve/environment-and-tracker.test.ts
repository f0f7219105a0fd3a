import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import type { Evaluation } from '../read/evaluate.ts';

const HOME = '/home/me';

function evaluate(frontMatter: string, environment: Record<string, string> = {}, port?: number): Evaluation {
  return evaluateWorkflow(`---\n${frontMatter}\n---\nDo it.`, {
    file: '/flows/team/WORKFLOW.md',
    environment: { HOME, TMPDIR: '/tmp', ...environment },
    ...(port === undefined ? {} : { overrides: { port } }),
  });
}

const REPO = 'repo: {clone_url: "git@git.example:acme/door.git"}';
const LINEAR = `${REPO}\ntracker: {kind: linear, project_slug: door-1`;
const keysOf = (evaluation: Evaluation) => evaluation.problems.map(({ key }) => key);

describe('paths that are addresses', () => {
  it('are refused without showing what is in them', () => {
    const { problems, config } = evaluate(
      `${REPO}\ntracker: {kind: local}\nworkspace: {root: "https://user:dummy-secret@host/x"}`,
    );
    expect(problems).toMatchObject([
      { key: 'workspace.root', message: 'workspace.root is an address, not a directory' },
    ]);
    expect(inspect([problems, config], { depth: 9 })).not.toContain('dummy-secret');
  });
});

describe('variables', () => {
  it.each(['$DUMMY_KEY', '\u0024{DUMMY_KEY}'])('resolves %s as a whole value', (reference) => {
    const { config, problems } = evaluate(`${LINEAR}, api_key: "${reference}"}`, {
      DUMMY_KEY: 'dummy-value',
    });
    expect(problems).toEqual([]);
    expect(config.tracker.apiKey?.reveal()).toBe('dummy-value');
    expect(config.tracker.apiKeyVariable).toBe('DUMMY_KEY');
  });

  it.each([
    ['unset', {}],
    ['empty', { DUMMY_KEY: '' }],
    ['blank', { DUMMY_KEY: '  ' }],
  ])('names a variable that is %s (R-5.3.1-g)', (_, environment) => {
    const { problems } = evaluate(`${LINEAR}, api_key: $DUMMY_KEY}`, environment);
    expect(problems).toMatchObject([{ code: 'missing_tracker_secret', key: 'tracker.api_key' }]);
    expect(problems[0]?.message).toContain('DUMMY_KEY');
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'takes %s for the name of a variable like any other',
    (name) => {
      const unset = evaluate(`${LINEAR}, api_key: $${name}}`);
      expect(unset.problems).toMatchObject([{ code: 'missing_tracker_secret', key: 'tracker.api_key' }]);
      expect(unset.problems[0]?.message).toContain(`${name}, which is not set`);
      const passed = evaluate(`${LINEAR}, api_key: dummy}\nclaude: {env_passthrough: [${name}]}`);
      expect(passed.problems).toEqual([]);
      const set = evaluate(`${LINEAR}, api_key: $${name}}`, { [name]: 'dummy-value' });
      expect(set.config.tracker.apiKey?.reveal()).toBe('dummy-value');
    },
  );

  it('resolves every documented place and names each unset one (R-5.3.3-c, R-6.1-a)', () => {
    const yaml =
      'repo: {clone_url: $URL}\ntracker: {kind: linear, project_slug: $SLUG, endpoint: $END, assignee: $WHO}\n' +
      'workspace: {root: $ROOT}\ncodex: {command: $CODEX}\nclaude: {command: $CLAUDE}\n' +
      'sandbox: {credential_files: [$FILE_A, /b]}';
    const environment = {
      LINEAR_API_KEY: 'dummy',
      URL: 'https://git.example/a/b',
      SLUG: 's',
      END: 'https://linear.example',
      WHO: 'me',
      ROOT: '~/work',
      CODEX: 'codex app-server',
      CLAUDE: 'claude',
      FILE_A: '~/a',
    };
    const { config, problems } = evaluate(yaml, environment);
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      repo: { cloneUrl: environment.URL },
      tracker: { place: 's', endpoint: environment.END, assignee: 'me' },
      workspace: { root: `${HOME}/work` },
      sandbox: { credentialFiles: [`${HOME}/a`, '/b'] },
    });
    const unset = evaluate(yaml, { LINEAR_API_KEY: 'dummy' });
    expect(keysOf(unset).sort()).toEqual([
      'claude.command',
      'codex.command',
      'repo.clone_url',
      'sandbox.credential_files[0]',
      'tracker.assignee',
      'tracker.endpoint',
      'tracker.project_slug',
      'workspace.root',
    ]);
  });

  it.each(['a$HOME', '$HOME/x', 'env:HOME', '$1', '$'])('leaves %j as it is (R-6.1-d)', (text) => {
    const { config, problems } = evaluate(`${REPO}\ntracker: {kind: local}\nclaude: {command: "${text}"}`);
    expect(problems).toEqual([]);
    expect(config.agents['claude']?.['command']).toBe(text);
  });

  it('never shows the value of a variable or credential (R-15.3-b, R-15.3-c)', () => {
    const secret = 'dummy-secret-value';
    const evaluation = evaluate(
      `repo: {clone_url: x}\ntracker: {kind: github, api_key: &k ${secret}, provider: {repo: $VALUE}}\n` +
        'agent: {max_turns: *k, timeout: *k, default: *k}\ncodex: {thread_sandbox: *k}\npolicy: {mode: *k}',
      { VALUE: 'hidden words' },
    );
    expect(evaluation.problems.length).toBeGreaterThan(3);
    const shown = inspect([evaluation.problems, evaluation.warnings, evaluation.config.tracker], {
      depth: 9,
    });
    expect(shown).not.toContain(secret);
    expect(inspect(evaluation.problems)).not.toContain('hidden words');
    expect(JSON.stringify(evaluation.config.tracker)).not.toContain(secret);
  });
});

describe('paths', () => {
  it('puts relative roots next to the workflow file (R-5.3.3-b, R-6.1-e)', () => {
    const { config } = evaluate(
      'tracker: {kind: local, path: ./todo}\nworkspace: {root: ../w/, mirror_root: "~"}',
    );
    expect(config.workspace).toMatchObject({ root: '/flows/w', mirrorRoot: HOME });
    expect(config.tracker.provider['path']).toBe('/flows/team/todo');
  });

  it('takes roots from file, then variable, then default', () => {
    const environment = { AIOPS_WORKSPACE_ROOT: '/env/w', AIOPS_MIRROR_ROOT: '/env/m' };
    const file = evaluate(
      'tracker: {kind: local}\nworkspace: {root: /file/w, mirror_root: /file/m}',
      environment,
    );
    expect(file.config.workspace).toMatchObject({ root: '/file/w', mirrorRoot: '/file/m' });
    expect(file.provenance.get('workspace.root')).toEqual({ source: 'workflow', variable: null });
    const variable = evaluate('tracker: {kind: local}', environment);
    expect(variable.config.workspace).toMatchObject({ root: '/env/w', mirrorRoot: '/env/m' });
    expect(variable.provenance.get('workspace.root')).toEqual({
      source: 'env',
      variable: 'AIOPS_WORKSPACE_ROOT',
    });
    const blank = evaluate('tracker: {kind: local}', { AIOPS_WORKSPACE_ROOT: ' ', AIOPS_MIRROR_ROOT: '' });
    expect(blank.config.workspace.root).toBe('/home/me/.local/state/aiops/team-a3022b9ebdaf/workspaces');
    expect(blank.provenance.get('workspace.root')).toEqual({ source: 'default', variable: null });
  });

  it('keeps workspaces, mirrors and local issues apart', () => {
    const apart = (yaml: string) => evaluate(yaml).problems.map(({ code, key }) => `${code} ${key}`);
    const clone = 'repo: {clone_url: x}\ntracker: {kind: local}\n';
    expect(apart(`${clone}workspace: {root: /w, mirror_root: /w/m}`)).toEqual([
      'shared_root workspace.mirror_root',
    ]);
    expect(apart(`${clone}workspace: {root: ~/.local}`)).toEqual(['shared_root workspace.root']);
    expect(apart('tracker: {kind: local}\nworkspace: {root: ~/.local}')).toEqual([]);
    expect(apart('tracker: {kind: local}\nworkspace: {root: issues/w}')).toEqual([
      'shared_root workspace.root',
    ]);
  });

  it('expands a clone path but no address', () => {
    const clone = (url: string) =>
      evaluate(`repo: {clone_url: "${url}"}\ntracker: {kind: local}`).config.repo?.cloneUrl;
    expect(clone('./repo')).toBe('/flows/team/repo');
    expect(clone('~/repo')).toBe(`${HOME}/repo`);
    expect(clone('https://git.example/~me/x')).toBe('https://git.example/~me/x');
  });
});

describe('server', () => {
  it('binds what the variable says, then the file; a set but empty variable is loopback (R-13.7-e)', () => {
    const yaml = 'tracker: {kind: local}\nserver: {host: 0.0.0.0}';
    expect(evaluate(yaml).config.server.host).toBe('0.0.0.0');
    expect(evaluate(yaml, { AIOPS_SERVER_HOST: '::1' }).config.server.host).toBe('::1');
    expect(evaluate(yaml, { AIOPS_SERVER_HOST: '' }).config.server.host).toBe('127.0.0.1');
    expect(evaluate('tracker: {kind: local}\nserver: {host: ""}').config.server.host).toBe('127.0.0.1');
  });

  it('takes the port of the command line over the file (R-13.7-b, R-18.2-a)', () => {
    const { config, provenance } = evaluate('tracker: {kind: local}\nserver: {port: 5000}', {}, 0);
    expect(config.server.port).toBe(0);
    expect(provenance.get('server.port')).toEqual({ source: 'cli', variable: null });
  });

  it('allows port 0 in a Symphony file and -1 in both (R-13.7-b, R-13.7-0)', () => {
    expect(evaluate('tracker: {kind: local}\nserver: {port: 0}').problems).toEqual([]);
    expect(evaluate(`${REPO}\ntracker: {kind: local}\nserver: {port: -1}`).config.server.port).toBe(-1);
  });

  it('takes addresses of other workers, and refuses what is more or less than that', () => {
    const read = (...origins: readonly string[]): Evaluation =>
      evaluate(`tracker: {kind: local}\nserver: {allowed_origins: ${JSON.stringify(origins)}}`);
    const good = read('http://127.0.0.1:4001', ' HTTPS://Aiops.example/ ', 'http://[::1]:4000');
    expect(good.problems).toEqual([]);
    expect(good.config.server.allowedOrigins).toEqual([
      'http://127.0.0.1:4001',
      'https://aiops.example',
      'http://[::1]:4000',
    ]);
    for (const bad of [
      '*',
      'null',
      '127.0.0.1:4001',
      'http://a/x',
      'http://u:dummy@a',
      'file:///x',
      'http://a;b',
    ]) {
      const { problems, config } = read('http://a', bad);
      expect([bad, problems.map(({ message }) => message)]).toEqual([
        bad,
        ['entry 2 of server.allowed_origins is not the address of a worker'],
      ]);
      expect(config.server.allowedOrigins).toEqual(['http://a']);
    }
  });

  it('takes the secret of webhooks from a variable, and never shows it', () => {
    const value = 'dummy-webhook-secret';
    const linear = `${LINEAR}, api_key: $K}\nserver: {webhooks: {secret`;
    const named = evaluate(`${linear}: $HOOK}}`, { K: 'dummy', HOOK: ` ${value}\n` });
    expect([named.problems, named.warnings]).toEqual([[], []]);
    expect(named.config.server.webhooks.secret?.reveal()).toBe(value);
    expect(named.provenance.get('server.webhooks.secret')).toEqual({ source: 'workflow', variable: 'HOOK' });
    expect(keysOf(evaluate(`${linear}: $HOOK}}`, { K: 'dummy' }))).toEqual(['server.webhooks.secret']);
    const literal = evaluate(`${linear}: ${value}}}`, { K: 'dummy' });
    expect(literal.warnings.map(({ key }) => key)).toEqual(['server.webhooks.secret']);
    expect(JSON.stringify([literal.warnings, literal.config])).not.toContain(value);
  });

  it.each([
    ['tracker: {kind: local}\nserver: {webhooks: {secret: $HOOK}}', 'no effect for tracker.kind local'],
    ['tracker: {kind: gitea, api_key: $HOOK}\nserver: {port: -1, webhooks: {secret: $HOOK}}', 'port is -1'],
  ])('warns of webhooks nobody can send: %s', (yaml, text) => {
    const { warnings } = evaluate(`${REPO}\n${yaml}`, { HOOK: 'dummy-webhook-secret' });
    expect(warnings.map(({ message }) => message).join()).toContain(text);
  });
});

describe('tracker', () => {
  it('takes the same keys flat and under provider', () => {
    const flat = evaluate(`${LINEAR}, api_key: $K, endpoint: "https://l.example/", team_key: T}`, {
      K: 'dummy',
    });
    const nested = evaluate(
      `${REPO}\ntracker: {kind: linear, provider: {project_slug: door-1, api_key: $K, endpoint: "https://l.example/", team_key: T}}`,
      { K: 'dummy' },
    );
    expect(flat.problems).toEqual([]);
    expect(nested.problems).toEqual([]);
    expect(nested.config.tracker).toEqual(flat.config.tracker);
    expect(flat.config.tracker).toMatchObject({
      endpoint: 'https://l.example',
      part: 'T',
      provider: { endpoint: 'https://l.example', project_slug: 'door-1', team_key: 'T' },
    });
  });

  it('refuses one key in both places and names both', () => {
    const { problems } = evaluate(`${LINEAR}, api_key: $K, provider: {api_key: $K, project_slug: x}}`, {
      K: 'dummy',
    });
    expect(problems.map(({ message }) => message)).toEqual([
      'tracker.api_key and tracker.provider.api_key say the same thing',
      'tracker.project_slug and tracker.provider.project_slug say the same thing',
    ]);
  });

  it.each(['', '"  "', '~'])('needs a project for linear, %j is none', (slug) => {
    const { problems } = evaluate(`${REPO}\ntracker: {kind: linear, project_slug: ${slug}}`, {
      LINEAR_API_KEY: 'dummy',
    });
    expect(problems).toMatchObject([{ code: 'invalid_tracker_config', key: 'tracker.project_slug' }]);
  });

  it.each([
    ['linear', 'LINEAR_API_KEY', ', project_slug: x'],
    ['github', 'GITHUB_TOKEN', ''],
    ['gitea', 'GITEA_TOKEN', ''],
  ])('%s reads %s when no credential is written, and needs one (R-6.1-c)', (kind, variable, more) => {
    const yaml = `${REPO}\ntracker: {kind: ${kind}${more}}`;
    const { config, provenance } = evaluate(yaml, { [variable]: ' dummy ' });
    expect(config.tracker.apiKey?.reveal()).toBe('dummy');
    expect(config.tracker.apiKeyVariable).toBe(variable);
    expect(provenance.get('tracker.api_key')).toEqual({ source: 'env', variable });
    expect(evaluate(yaml).problems).toMatchObject([{ code: 'missing_tracker_secret' }]);
    expect(evaluate(`${REPO}\ntracker: {kind: ${kind}${more}, api_key: "  "}`).problems).toMatchObject([
      { code: 'missing_tracker_secret' },
    ]);
  });

  it('warns about a credential in the file', () => {
    const { problems, warnings } = evaluate(`${LINEAR}, api_key: dummy-literal}`);
    expect(problems).toEqual([]);
    expect(warnings.map(({ key }) => key)).toEqual(['tracker.api_key']);
    expect(warnings[0]?.message).not.toContain('dummy-literal');
  });

  it('takes base addresses from file, then variable, then default', () => {
    const github = (more: string, environment = {}) =>
      evaluate(`${REPO}\ntracker: {kind: github${more}}`, { GITHUB_TOKEN: 'dummy', ...environment }).config
        .tracker.endpoint;
    expect(github('')).toBe('https://api.github.com');
    expect(github('', { GITHUB_API_BASE_URL: 'https://ghe.example/api/v3' })).toBe(
      'https://ghe.example/api/v3',
    );
    expect(github(', endpoint: "https://f.example"', { GITHUB_API_BASE_URL: 'https://e.example' })).toBe(
      'https://f.example',
    );
    const gitea = evaluate(`${REPO}\ntracker: {kind: gitea}`, { GITEA_TOKEN: 'dummy' }).config.tracker;
    expect(gitea.endpoint).toBe('http://localhost:3000');
    expect(gitea.inactiveStates).toEqual(['Human Review', 'Merging']);
  });

  it.each(['ftp://x', 'not an address', 'linear'])('refuses the endpoint %j', (endpoint) => {
    const { problems } = evaluate(`${LINEAR}, endpoint: "${endpoint}"}`, { LINEAR_API_KEY: 'dummy' });
    expect(problems.map(({ key }) => key)).toEqual(['tracker.endpoint']);
  });

  it("reads upstream's GitHub keys", () => {
    const { config, problems } = evaluate(
      'tracker: {kind: github, active_states: [open], terminal_states: [closed], ' +
        'provider: {repo: octo/app, token: $T, api_url: "https://ghe.example/api/v3"}}\nhooks: {after_create: x}',
      { T: 'dummy' },
    );
    expect(problems).toEqual([]);
    expect(config.tracker).toMatchObject({
      endpoint: 'https://ghe.example/api/v3',
      apiKeyVariable: 'T',
      provider: { repo: 'octo/app' },
    });
    expect(config.tracker.provider).not.toHaveProperty('token');
  });

  it('knows whose issues to read from the repo block, its address or GITHUB_REPO, and asks when it does not', () => {
    const repository = (yaml: string, environment = {}) => {
      const evaluation = evaluate(yaml, { GITHUB_TOKEN: 'dummy', ...environment });
      return evaluation.problems[0]?.key ?? evaluation.config.tracker.provider['repo'];
    };
    expect(repository('tracker: {kind: github}\nrepo: {clone_url: /srv/x, owner: o, name: n}')).toBe('o/n');
    expect(repository(`tracker: {kind: github}\n${REPO}`)).toBe('acme/door');
    expect(repository('tracker: {kind: github}', { GITHUB_REPO: 'e/v' })).toBe('e/v');
    expect(repository('tracker: {kind: github}\nrepo: {clone_url: /srv/x}')).toBe('repo.owner');
    expect(repository('tracker: {kind: github, provider: {repo: nope}}')).toBe('tracker.provider.repo');
  });

  it('refuses project_slug for gitea and warns where a key means nothing', () => {
    const gitea = evaluate(`${REPO}\ntracker: {kind: gitea, project_slug: x}`, { GITEA_TOKEN: 'dummy' });
    expect(keysOf(gitea)).toEqual(['tracker.project_slug']);
    const local = evaluate(`${REPO}\ntracker: {kind: local, api_key: $NOPE}`);
    expect(local.problems).toEqual([]);
    expect(local.warnings.map(({ key }) => key)).toEqual(['tracker.api_key']);
  });

  it('suggests the kind that was meant (R-5.3.1-b)', () => {
    const { problems } = evaluate(`${REPO}\ntracker: {kind: Linear}`);
    expect(problems).toMatchObject([{ code: 'unsupported_tracker_kind' }]);
    expect(problems[0]?.hint).toContain('Did you mean linear?');
  });

  it('reads LINEAR_ASSIGNEE only in the Symphony dialect', () => {
    const environment = { LINEAR_API_KEY: 'dummy', LINEAR_ASSIGNEE: 'u1' };
    expect(evaluate(`${LINEAR}}`, environment).config.tracker.assignee).toBeNull();
    const upstream = evaluate('tracker: {kind: linear, project_slug: x}', environment);
    expect(upstream.config.tracker.assignee).toBe('u1');
  });

  it('normalises labels and keeps a blank one (R-5.3.1-i)', () => {
    const { config } = evaluate('tracker: {kind: local, required_labels: [" Ready ", ready, " "]}');
    expect(config.tracker.requiredLabels).toEqual(['ready', '']);
  });

  it('needs states, and no state on both sides (R-5.3.1-j, R-5.3.1-k)', () => {
    const empty = evaluate('tracker: {kind: local, active_states: [], terminal_states: [" "]}');
    expect(keysOf(empty)).toEqual(['tracker.active_states', 'tracker.terminal_states']);
    const both = evaluate('tracker: {kind: local, active_states: [Todo, " done"]}');
    expect(both.problems[0]?.message).toContain('"done"');
    expect(evaluate('tracker: {kind: local, active_states: "Todo, Doing"}').problems[0]?.message).toContain(
      'list',
    );
  });

  it('drops inactive states that are active or terminal', () => {
    const { config } = evaluate('tracker: {kind: local, active_states: [human review]}');
    expect(config.tracker.inactiveStates).toEqual(['Backlog']);
  });

  it.each(['1x', 'has space', 'a/b', 'x'.repeat(40)])('refuses the issue prefix %j', (prefix) => {
    expect(keysOf(evaluate(`tracker: {kind: local, provider: {issue_prefix: "${prefix}"}}`))).toEqual([
      'tracker.provider.issue_prefix',
    ]);
  });
});

describe('variables for agents', () => {
  const environment = { MY_KEY: 'dummy-key', COPY: 'dummy-key', OTHER: 'x' };

  it.each([
    'codex: {env_passthrough: [OTHER, NAME]}',
    'claude: {env_passthrough: [OTHER, NAME]}',
    'sandbox: {env_allowlist: [OTHER, NAME]}',
  ])('refuses tracker credentials in %s', (yaml) => {
    for (const name of ['MY_KEY', 'COPY', 'gh_token', 'GITHUB_TOKEN', 'LINEAR_TOKEN', 'GITEA_API_TOKEN']) {
      const { problems } = evaluate(
        `${LINEAR}, api_key: $MY_KEY}\n${yaml.replace('NAME', name)}`,
        environment,
      );
      expect(problems.map(({ key }) => key)).toEqual([
        expect.stringMatching(/(passthrough|allowlist)\[1\]$/),
      ]);
    }
  });

  it('leaves them out of hooks with a warning', () => {
    const { problems, warnings } = evaluate(
      `${LINEAR}, api_key: $MY_KEY}\nhooks: {env_passthrough: [COPY]}`,
      environment,
    );
    expect(problems).toEqual([]);
    expect(warnings.map(({ key }) => key)).toEqual(['hooks.env_passthrough[0]']);
  });

  it('refuses what is no name', () => {
    expect(keysOf(evaluate('tracker: {kind: local}\ncodex: {env_passthrough: ["A=B"]}'))).toEqual([
      'codex.env_passthrough[0]',
    ]);
  });
});
