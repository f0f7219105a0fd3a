import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import type { Evaluation } from '../read/evaluate.ts';
import { configView } from '../show/view.ts';

const FILE = '/flows/WORKFLOW.md';

/** A file of the Go dialect with this below `agent.profiles`, on one line, and more front matter. */
function withProfiles(profiles: string, more = 'agent: '): Evaluation {
  const base = 'tracker: {kind: local}\nrepo: {clone_url: "https://git.example/acme/door.git"}';
  const source = `---\n${base}\n${more}{profiles: ${profiles}}\n---\nDo it.`;
  return evaluateWorkflow(source, {
    file: FILE,
    environment: { HOME: '/home/me', AGENT: '/opt/agent --quiet', GITHUB_TOKEN: 'dummy-token' },
  });
}

const profilesOf = ({ config }: Evaluation) => config.agent.profiles;
const keysOf = ({ problems }: Evaluation) => problems.map(({ key }) => key);
const warned = ({ warnings }: Evaluation) => warnings.map(({ key }) => key);

describe('agent.profiles', () => {
  it('is empty unless written, and leaves the default as it is', () => {
    const { config, problems, warnings } = withProfiles('{}');
    expect([problems, warnings, config.agent.profiles, config.agent.kind]).toEqual([[], [], [], 'mock']);
  });

  it('takes what a profile does not say from the rest of the file', () => {
    const evaluation = withProfiles(
      '{claude: {claude: {model: opus}}, careful: {states: [In Progress], max_turns: 5, timeout: 10m, max_concurrent_agents: 1}}',
      'claude: {model: sonnet, env_passthrough: [ONE]}\nagent: ',
    );
    expect([evaluation.problems, evaluation.warnings]).toEqual([[], []]);
    const [claude, careful] = profilesOf(evaluation);
    expect(claude).toMatchObject({
      name: 'claude',
      labels: ['agent:claude'],
      states: [],
      maxTurns: 20,
      timeoutMs: 1_800_000,
      maxConcurrentAgents: null,
      agent: {
        kind: 'claude',
        options: { model: 'opus', envPassthrough: ['ONE'], permissionMode: 'acceptEdits' },
      },
    });
    expect(careful).toMatchObject({
      agent: { kind: 'mock' },
      labels: ['agent:careful'],
      states: ['in progress'],
      maxTurns: 5,
      timeoutMs: 600_000,
      maxConcurrentAgents: 1,
    });
    expect(evaluation.config.agents['claude']?.['model']).toBe('sonnet');
  });

  it.each([
    ['claude', 'claude'],
    ['Codex', 'codex-app-server'],
    ['acp', 'acp'],
    ['mock', 'mock'],
    ['other', 'mock'],
  ])('a profile named %s runs %s by itself', (name, runner) => {
    const evaluation = withProfiles(`{${name}: {}}`, 'acp: {command: gemini}\nagent: ');
    expect(profilesOf(evaluation)).toMatchObject([
      { name, agent: { kind: runner }, labels: [`agent:${name.toLowerCase()}`] },
    ]);
  });

  it('keeps the order of the file and compares labels and states as trackers do', () => {
    const evaluation = withProfiles(
      '{zed: {labels: [" Big ", big], states: [in_progress]}, alpha: {labels: []  , states: [todo]}}',
    );
    expect(profilesOf(evaluation)).toMatchObject([
      { name: 'zed', labels: ['big'], states: ['in progress'] },
      { name: 'alpha', labels: [], states: ['todo'] },
    ]);
  });

  it('has the timeout that its turns allow in the Symphony dialect', () => {
    const source =
      '---\ntracker: {kind: local}\nagent: {profiles: {claude: {max_turns: 2, claude: {turn_timeout_ms: 1000}}}}\n---\n';
    const { config } = evaluateWorkflow(source, { file: FILE, environment: {} });
    expect(config.agent.profiles).toMatchObject([{ timeoutMs: 2_000 }]);
  });

  it('names the key within the profile when a value is wrong', () => {
    const evaluation = withProfiles(
      '{a: {runner: wizard}, b: {max_turns: 0}, claude: {claude: {permission_mode: wild, max_turns: many}}, ' +
        'c: {runner: codex-app-server, codex: {command: codex exec, turn_sandbox_policy: {type: none}, prices: {m: 1}}}, ' +
        'd: 5, e: {timeout: soon}, f: {labels: [""]}}',
    );
    expect(keysOf(evaluation).sort()).toEqual([
      'agent.profiles.a.runner',
      'agent.profiles.b.max_turns',
      'agent.profiles.c.codex.command',
      'agent.profiles.c.codex.prices.m',
      'agent.profiles.c.codex.turn_sandbox_policy.type',
      'agent.profiles.claude.claude.max_turns',
      'agent.profiles.claude.claude.permission_mode',
      'agent.profiles.d',
      'agent.profiles.e.timeout',
      'agent.profiles.f.labels[0]',
    ]);
    const [wizard] = evaluation.problems.filter(({ key }) => key === 'agent.profiles.a.runner');
    expect(wizard).toMatchObject({
      line: 4,
      message: 'agent.profiles.a.runner must be one of mock, codex-app-server, claude, acp, not "wizard"',
    });
  });

  it('says a fault of the shared block once, whoever uses it', () => {
    const evaluation = withProfiles(
      '{a: {runner: codex-app-server}, b: {runner: codex-app-server}}',
      'codex: {command: codex exec, stall_timeout_ms: -5}\nagent: ',
    );
    expect([keysOf(evaluation), warned(evaluation)]).toEqual([['codex.command'], ['codex.stall_timeout_ms']]);
  });

  it('suggests the nearest key, and says which agent reads a block', () => {
    const { warnings, problems } = withProfiles(
      '{claude: {lables: [x], claude: {modle: opus}, codex: {command: codex app-server}}}',
    );
    expect(problems).toEqual([]);
    expect(warnings.map(({ key, hint }) => [key, hint])).toEqual([
      ['agent.profiles.claude.lables', 'Did you mean labels?'],
      ['agent.profiles.claude.claude.modle', 'Did you mean model?'],
      ['agent.profiles.claude.codex', 'Set agent.profiles.claude.runner, or remove it.'],
    ]);
  });

  it('refuses removed keys and those that cannot differ, with the way out', () => {
    const { problems, warnings } = withProfiles(
      '{a: {runner: codex-app-server, codex: {profile: x, linear_graphql: {allow_mutations: true}}}, ' +
        'claude: {claude: {read_timeout_ms: 5}}}',
    );
    expect(problems.map(({ message }) => message)).toEqual([
      'agent.profiles.a.codex.profile is no longer supported',
      'agent.profiles.a.codex.linear_graphql cannot differ by profile',
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'agent.profiles.claude.claude.read_timeout_ms has no effect',
    ]);
  });

  it('keeps the credential of the tracker from the agents of profiles too', () => {
    const evaluation = withProfiles('{claude: {claude: {env_passthrough: [ONE, GITHUB_TOKEN]}}}');
    expect(keysOf(evaluation)).toEqual(['agent.profiles.claude.claude.env_passthrough[1]']);
  });

  it('needs a command for acp, and expands variables without showing them', () => {
    expect(keysOf(withProfiles('{gemini: {runner: acp}}'))).toEqual(['agent.profiles.gemini.runner']);
    const evaluation = withProfiles('{gemini: {runner: acp, acp: {command: $AGENT}}}');
    expect(profilesOf(evaluation)).toMatchObject([{ agent: { command: '/opt/agent --quiet' } }]);
    expect(evaluation.provenance.get('agent.profiles.gemini.acp.command')).toEqual({
      source: 'workflow',
      variable: 'AGENT',
    });
    expect(keysOf(withProfiles('{gemini: {runner: acp, acp: {command: $NOT_SET}}}'))).toContain(
      'agent.profiles.gemini.acp.command',
    );
  });

  it.each([
    ['__proto__: {}', 'agent.profiles.__proto__'],
    ['"": {}', 'agent.profiles.'],
    ['"a b": {}', 'agent.profiles.a b'],
    ['1: {}', 'agent.profiles.1'],
    ['a.b: {}', 'agent.profiles.a.b'],
    [`${'x'.repeat(41)}: {}`, `agent.profiles.${'x'.repeat(41)}`],
    ['Default: {}', 'agent.profiles.Default'],
    ['big: {}, BIG: {}', 'agent.profiles.BIG'],
  ])('refuses the name in {%s}', (profiles, key) => {
    const evaluation = withProfiles(`{${profiles}}`);
    expect(keysOf(evaluation)).toEqual([key]);
    expect(profilesOf(evaluation).map(({ name }) => name)).not.toContain(key.slice('agent.profiles.'.length));
  });

  it('takes names that objects have by themselves for what they are', () => {
    const evaluation = withProfiles('{constructor: {}, toString: {max_turns: 3}, hasOwnProperty: {}}');
    expect([evaluation.problems, evaluation.warnings]).toEqual([[], []]);
    expect(profilesOf(evaluation).map(({ name, maxTurns }) => [name, maxTurns])).toEqual([
      ['constructor', 20],
      ['toString', 3],
      ['hasOwnProperty', 20],
    ]);
  });

  it('warns of what can never be chosen, or not as written', () => {
    const evaluation = withProfiles(
      '{a: {labels: []}, b: {states: [Tood, In Progress]}, c: {labels: [agent:b], states: [in_progress]}, ' +
        'd: {max_turns: 50}, e: }',
    );
    expect(evaluation.problems).toEqual([]);
    expect(warned(evaluation)).toEqual([
      'agent.profiles.a',
      'agent.profiles.b.states[0]',
      'agent.profiles.d.max_turns',
      'agent.profiles.e',
      'agent.profiles.c.labels',
      'agent.profiles.c.states',
    ]);
    expect(evaluation.warnings[1]?.hint).toBe('Did you mean Todo?');
    expect(profilesOf(evaluation).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses what is no map of profiles, and a profile that contains itself', () => {
    expect(keysOf(withProfiles('[claude]'))).toEqual(['agent.profiles']);
    expect(keysOf(withProfiles('claude'))).toEqual(['agent.profiles']);
    expect(withProfiles('&all {claude: *all}').problems[0]?.message).toContain('contains itself');
  });

  it('loads two hundred profiles at once', () => {
    const many = Array.from({ length: 200 }, (_, index) => `p${index}: {runner: claude}`).join(', ');
    const evaluation = withProfiles(`{${many}}`);
    expect([evaluation.problems, evaluation.warnings]).toEqual([[], []]);
    expect(profilesOf(evaluation).map(({ name }) => name)).toEqual(
      Array.from({ length: 200 }, (_, index) => `p${index}`),
    );
  });

  it('is shown with the settings that hold in it', () => {
    const view = configView(withProfiles('{claude: {timeout: 45m, claude: {model: opus}}}'));
    const { agent } = view;
    expect(agent?.['profiles']).toEqual({
      claude: {
        runner: 'claude',
        labels: ['agent:claude'],
        states: [],
        max_turns: 20,
        timeout: '45m0s',
        max_concurrent_agents: null,
        claude: { ...view['claude'], model: 'opus' },
      },
    });
  });

  it('never throws and never invents a profile, whatever is written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const evaluation = withProfiles(JSON.stringify(value));
        const written = typeof value === 'object' && value !== null ? Object.keys(value) : [];
        expect(written).toEqual(expect.arrayContaining(profilesOf(evaluation).map(({ name }) => name)));
      }),
      { numRuns: 200 },
    );
  });
});
