import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/app-error.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { workflowSnapshot } from '../../../src/orchestrator/workflow-snapshot.ts';
import { createPromptRenderer } from '../../../src/prompt/render.ts';
import { normaliseLabels } from '../../../src/trackers/fields.ts';
import { createTracker } from '../../../src/trackers/registry.ts';
import { makeIssue, SchedulerFixture } from '../../fakes/scheduler-fixture.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';
import { configOf, evaluate, WORKFLOW_FILE } from './workflow.ts';

const LINEAR = 'tracker: {kind: linear, project_slug: door}';
const GITHUB = 'tracker: {kind: github, provider: {repo: acme/door}}';
const withFront = (frontMatter: string): string => `---\n${frontMatter}\n---\nDo it.`;
const codeOf = (error: unknown): unknown => (error instanceof AppError ? error.code : error);

describe('errors', () => {
  it('have five classes that are told apart (R-5.5-a, R-17.1-e, R-17.1-f, R-17.1-g)', async () => {
    const missing = await loadWorkflow({ path: '/nowhere/WORKFLOW.md', environment: {} });
    const rendering = (template: string): Promise<unknown> =>
      createPromptRenderer()
        .render({
          template,
          issue: makeIssue('a'),
          attempt: null,
          retryKind: null,
          repo: null,
          trackerKind: 'local',
          policyMode: 'draft_pr',
          verifyCommands: [],
          branch: null,
          delimit: false,
          nonce: 'n0nce',
        })
        .catch(codeOf);
    expect([
      missing.ok ? null : missing.problems[0]?.code,
      evaluate('---\ntracker: [\n---\n').problems[0]?.code,
      evaluate('---\n- a\n---\n').problems[0]?.code,
      await rendering('{% if issue.title %}'),
      await rendering('{{ nope }}'),
    ]).toEqual([
      'missing_workflow_file',
      'workflow_parse_error',
      'workflow_front_matter_not_a_map',
      'template_parse_error',
      'template_render_error',
    ]);
  });

  it.each([
    ['unreadable YAML', 'tracker: [', 'workflow_parse_error'],
    ['no tracker kind', 'polling: {interval_ms: 5}', 'unsupported_tracker_kind'],
    ['an unsupported tracker kind', 'tracker: {kind: jira}', 'unsupported_tracker_kind'],
    [
      'provider keys the adapter refuses',
      'tracker: {kind: github, provider: {repo: nope}}',
      'invalid_tracker_config',
    ],
    ['no credential', LINEAR, 'missing_tracker_secret'],
    ['a blank codex.command', 'tracker: {kind: local}\ncodex: {command: "  "}', 'workflow_parse_error'],
  ])('are found before anything starts: %s (R-6.3-e, R-17.1-i)', (_name, frontMatter, code) => {
    const environment = frontMatter.includes('github') ? { GITHUB_TOKEN: 'dummy' } : {};
    expect(evaluate(withFront(frontMatter), environment).problems.map((problem) => problem.code)).toContain(
      code,
    );
  });

  it('of the adapter’s own keys come from the adapter (R-17.1-j, R-5.3.1-d)', async () => {
    const { tracker } = configOf('tracker: {kind: local, provider: {allow_terminal: perhaps}}');
    expect(tracker.provider['allow_terminal']).toBe('perhaps');
    await expect(createTracker(tracker, { logger: silentLogger })).rejects.toMatchObject({
      code: 'invalid_tracker_config',
    });
  });
});

describe('variables', () => {
  it('that nothing refers to change nothing (R-6.1-b)', () => {
    const noise = {
      GITHUB_TOKEN: 'x',
      GITEA_TOKEN: 'x',
      ACTIVE_STATES: 'Open',
      POLLING_INTERVAL_MS: '1',
      CODEX_COMMAND: 'y',
    };
    expect(configOf('', 'Do it.', noise)).toEqual(configOf());
  });

  it('of the worker’s own name stand in for what the file leaves out (R-6.1-b)', () => {
    const own = { AIOPS_WORKSPACE_ROOT: '/env/w', AIOPS_MIRROR_ROOT: '/env/m', AIOPS_SERVER_HOST: '::1' };
    const { workspace, server } = configOf('', 'Do it.', own);
    expect(workspace).toMatchObject({ root: '/env/w', mirrorRoot: '/env/m' });
    expect(server.host).toBe('::1');
  });

  it('that are an adapter’s fallback serve that adapter alone (R-6.1-c)', () => {
    const environment = { LINEAR_API_KEY: 'dummy-linear', GITHUB_TOKEN: 'dummy-github' };
    expect(configOf(LINEAR, '', environment).tracker.apiKey?.reveal()).toBe('dummy-linear');
    expect(configOf(GITHUB, '', environment).tracker.apiKey?.reveal()).toBe('dummy-github');
    expect(evaluate(withFront(GITHUB), { LINEAR_API_KEY: 'dummy-linear' }).problems[0]?.code).toBe(
      'missing_tracker_secret',
    );
  });

  it('resolve in secrets and paths, and are checked without being shown (R-15.3-a, R-15.3-c, R-17.1-k)', () => {
    const frontMatter = `${LINEAR.slice(0, -1)}, api_key: $MY_KEY}\nworkspace: {root: $MY_ROOT}`;
    const config = configOf(frontMatter, '', { MY_KEY: 'dummy-secret', MY_ROOT: '/r' });
    expect(config.tracker.apiKey?.reveal()).toBe('dummy-secret');
    expect(JSON.stringify(config.tracker)).not.toContain('dummy-secret');
    expect(config.workspace.root).toBe('/r');
    const { problems } = evaluate(withFront(frontMatter), { MY_KEY: '', MY_ROOT: '/r' });
    expect(problems).toMatchObject([{ code: 'missing_tracker_secret' }]);
    expect(problems[0]?.message).toContain('MY_KEY');
  });

  it('and ~ expand in paths; addresses and commands stay as written (R-6.1-d, R-17.1-l, R-17.1-m)', () => {
    const command = `~/bin/codex "a b" --home=$HOME 'x' app-server`;
    const config = configOf(`workspace: {root: ~/w}\ncodex: {command: ${JSON.stringify(command)}}`);
    expect(config.workspace.root).toBe('/home/me/w');
    expect(config.agents['codex']?.['command']).toBe(command);
    const linear = configOf(`${LINEAR.slice(0, -1)}, endpoint: "https://x.example/~me"}`, '', {
      LINEAR_API_KEY: 'x',
    });
    expect(linear.tracker.endpoint).toBe('https://x.example/~me');
  });

  it('as the whole of a command or address are looked up (R-6.1-d, R-17.1-m)', () => {
    expect(
      configOf('codex: {command: $MY_CODEX}', '', { MY_CODEX: 'codex app-server' }).agents['codex']?.[
        'command'
      ],
    ).toBe('codex app-server');
  });
});

describe('values', () => {
  it('a relative root is relative to the file, wherever the worker was started (R-5.3.3-b, R-6.1-e)', () => {
    expect(WORKFLOW_FILE.startsWith('/flows/team/')).toBe(true);
    expect(configOf('workspace: {root: ../w}').workspace.root).toBe('/flows/w');
  });

  it('limits by state: keys are normalised; a bad entry is ignored in a Symphony file, refused in a Go file (R-5.3.5-d, R-17.1-n)', () => {
    const limits =
      'agent: {max_concurrent_agents_by_state: {" In Progress ": 2, Todo: 0, Review: many, QA: -1, Open: 1}}';
    expect(configOf(limits).agent.maxConcurrentAgentsByState).toEqual({ 'in progress': 2, open: 1 });
    const go = evaluate(withFront(`tracker: {kind: local}\nrepo: {clone_url: /r}\n${limits}`));
    expect(go.problems.length).toBeGreaterThan(0);
  });

  it('required labels match whatever their case and outer blanks (R-5.3.1-i, R-17.4-c)', () => {
    const config = configOf('tracker: {kind: local, required_labels: [" Ready "]}');
    const { settings } = workflowSnapshot(config, null);
    const fixture = new SchedulerFixture({ requiredLabels: settings.requiredLabels }).start();
    fixture.list(
      makeIssue('a', { labels: normaliseLabels(['READY']) }),
      makeIssue('b', { labels: ['other'] }),
    );
    expect(fixture.started).toEqual(['a']);
  });

  it('a blank required label matches no issue (R-5.3.1-i)', () => {
    const { settings } = workflowSnapshot(configOf('tracker: {kind: local, required_labels: [" "]}'), null);
    const fixture = new SchedulerFixture({ requiredLabels: settings.requiredLabels }).start();
    expect(fixture.list(makeIssue('a', { labels: ['', ' '] })).started).toEqual([]);
  });

  it('max_turns bounds a run, the back-off cap a wait (R-5.3.5-b, R-5.3.5-c)', () => {
    const { settings } = workflowSnapshot(
      configOf('agent: {max_turns: 4, max_retry_backoff_ms: 12000}'),
      null,
    );
    const fixture = new SchedulerFixture({
      budgets: settings.budgets,
      maxRetryBackoffMs: settings.maxRetryBackoffMs,
    });
    fixture.start().list(makeIssue('a'));
    expect(fixture.sent('start_run')[0]?.run.maxTurns).toBe(4);
    fixture.end('a', { kind: 'failed', code: 'x', message: 'no' });
    fixture.advance(10_000).send({ type: 'timer_fired', key: 'retry:a' });
    fixture
      .refresh({ a: { kind: 'current', issue: makeIssue('a') } })
      .end('a', { kind: 'failed', code: 'x', message: 'no' });
    expect(fixture.state.claims.get('a')).toMatchObject({ dueAt: fixture.now + 12_000 });
  });

  it.each(['0', '-1', '1.5', 'many'])('max_turns: %s is refused (R-5.3.5-b)', (value) => {
    expect(
      evaluate(withFront(`tracker: {kind: local}\nagent: {max_turns: ${value}}`)).problems,
    ).toMatchObject([{ key: 'agent.max_turns' }]);
  });

  it.each(['0', '-1', 'soon'])('hooks.timeout_ms: %s is refused (R-5.3.4-e)', (value) => {
    expect(
      evaluate(withFront(`tracker: {kind: local}\nhooks: {timeout_ms: ${value}}`)).problems,
    ).toMatchObject([{ key: 'hooks.timeout_ms' }]);
  });

  it.each(['active_states', 'terminal_states'])(
    'tracker.%s: empty is refused; without it the documented default holds (R-5.3.1-j, R-5.3.1-k)',
    (key) => {
      const { problems } = evaluate(withFront(`tracker: {kind: local, ${key}: []}`));
      expect(problems).toMatchObject([{ key: `tracker.${key}` }]);
      const { tracker } = configOf();
      expect([tracker.activeStates.length, tracker.terminalStates.length]).toEqual([2, 5]);
    },
  );

  it('settings of the observation surfaces are in the file, without naming one (R-18.2-d)', () => {
    const { observability } = configOf('observability: {dashboard_enabled: false, refresh_ms: 250}');
    expect(observability).toMatchObject({ dashboardEnabled: false, refreshMs: 250 });
  });
});
