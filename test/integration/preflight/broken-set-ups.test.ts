import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Preflight } from '../../../src/cli/preflight/preflight.ts';
import { workerChecks } from '../../../src/cli/preflight/worker-checks.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { StandingWarnings } from '../../../src/orchestrator/history/standing-warnings.ts';
import { fakeClaudeSettings } from '../../fakes/claude/settings.ts';
import { fakeCodexCommand } from '../../fakes/codex/settings.ts';
import { FAKE_KEY, FakeLinear } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';
import { createRemote, type Fixture, LOCAL, openFixture } from '../doctor/fixture.ts';
import { serveWithPassword } from '../push/http-remote.ts';

const SECRETS = { GITHUB_TOKEN: 'dummy-github', GITEA_TOKEN: 'dummy-gitea', LINEAR_API_KEY: FAKE_KEY };

/** Resolves when a worker with this workflow would start. */
async function startWorker({ folder, environment }: Fixture): Promise<void> {
  const loaded = await loadWorkflow({ path: join(folder, 'WORKFLOW.md'), environment });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const warnings = new StandingWarnings(systemClock, silentLogger);
  const preflight = new Preflight({ clock: systemClock, warnings, redact: (text) => text });
  onTestFinished(() => preflight.stop());
  await preflight.start(await workerChecks(loaded, { environment, cwd: folder }));
}

interface FileCase {
  readonly what: string;
  readonly rule: string;
  /** With the path of a real repository. */
  broken(remote: string): string;
  readonly text: string;
  readonly fix: string;
  mended(remote: string): string;
}

const forge =
  (kind: string, more = '', agent = 'agent: {default: mock}') =>
  (remote: string) =>
    `server: {port: -1}\ntracker: {kind: ${kind}, api_key: $${kind.toUpperCase()}_TOKEN, endpoint: "http://127.0.0.1:1"${more}}
repo: {owner: a, name: b, clone_url: ${remote}}\n${agent}`;
const local = (more: string) => (remote: string) => `${LOCAL}\nrepo: {clone_url: ${remote}}\n${more}`;
const CODEX = 'agent: {default: codex-app-server}';

const FILE_CASES: readonly FileCase[] = [
  {
    what: 'a mock agent that nobody asked for',
    rule: 'mock-by-surprise',
    broken: forge('github', '', ''),
    text: 'the mock agent would work on the issues of github',
    fix: 'or agent.default: mock when that is meant',
    mended: forge('github', ', active_states: [Todo]'),
  },
  {
    what: 'a variable inside of an address',
    rule: 'variable-inside',
    broken: () => `${LOCAL}\nrepo: {clone_url: "http://$GITHUB_TOKEN@127.0.0.1:1/a/b.git"}`,
    text: 'repo.clone_url has $GITHUB_TOKEN inside of an address',
    fix: 'repo.token: $GITHUB_TOKEN',
    mended: () => `${LOCAL}\nrepo: {clone_url: "http://127.0.0.1:1/a/b.git", token: $GITHUB_TOKEN}`,
  },
  {
    what: 'a state that no label stands for',
    rule: 'label-states',
    broken: forge('gitea', ', active_states: [ai-ready]'),
    text: 'no label stands for the state "ai-ready"',
    fix: 'tracker.provider.state_labels: {"ai-ready": Todo}',
    mended: forge('gitea', ', active_states: [Todo], provider: {state_labels: {"ai-ready": Todo}}'),
  },
  {
    what: 'a folder that is no repository',
    rule: 'clone-path',
    broken: (remote) => `${LOCAL}\nrepo: {clone_url: ${remote}/../no-repository}`,
    text: 'is a folder, but no git repository',
    fix: 'init` and a first commit',
    mended: local(''),
  },
  {
    what: 'a Codex that shall push without a network',
    rule: 'way-to-push',
    broken: () => `${LOCAL}\nrepo: {clone_url: "http://127.0.0.1:1/a/b.git", push: agent}\n${CODEX}`,
    text: "Codex's sandbox has no network",
    fix: 'Remove repo.push, so that the worker pushes',
    mended: () => `${LOCAL}\nrepo: {clone_url: "http://127.0.0.1:1/a/b.git"}\n${CODEX}`,
  },
  {
    what: 'verify commands that Claude may not run',
    rule: 'verify-commands',
    broken: local(
      'verify: {commands: [npm test]}\nagent: {default: claude}\nclaude: {disallowed_tools: [Bash]}',
    ),
    text: 'claude.disallowed_tools forbids what verify.commands asks for: npm test',
    fix: 'Take one of the two out',
    mended: local('verify: {commands: [npm test]}\nagent: {default: claude}'),
  },
  {
    what: 'verify commands that Codex may not run',
    rule: 'verify-commands',
    broken: local(`verify: {commands: [npm test]}\n${CODEX}\ncodex: {thread_sandbox: read-only}`),
    text: 'codex.thread_sandbox is read-only',
    fix: 'Set codex.thread_sandbox: workspace-write',
    mended: local(`verify: {commands: [npm test]}\n${CODEX}\ncodex: {thread_sandbox: workspace-write}`),
  },
];

test.each(FILE_CASES)(
  '$what: `config check`, `doctor` and the start of the worker say the same, and all accept the mended file',
  async ({ rule, broken, text, fix, mended }) => {
    const fixture = await openFixture(SECRETS);
    const { folder, write, aiops, findings } = fixture;
    mkdirSync(join(folder, 'no-repository'));
    for (const name of ['codex', 'claude']) fixture.addProgram(name, 'echo codex-cli 0.166.0');
    const remote = createRemote(folder);
    write(broken(remote));
    const checked = await aiops('config', 'check');
    expect(checked).toMatchObject({ code: 1, out: expect.stringContaining(text) });
    expect(checked.out).toContain(fix);
    expect((await findings('--offline')).by[rule]).toMatchObject({
      status: 'fail',
      text: expect.stringContaining(text),
      fix: expect.stringContaining(fix),
    });
    await expect(startWorker(fixture)).rejects.toMatchObject({
      code: 'setup_broken',
      message: expect.stringContaining(text),
      context: { rules: expect.arrayContaining([rule]) },
    });

    write(mended(remote));
    expect(await aiops('config', 'check')).toMatchObject({ code: 0 });
    expect((await findings('--offline')).by[rule]).toMatchObject({ status: 'ok' });
    // The network of these set-ups does not answer, which is no reason not to start.
    await startWorker(fixture);
  },
);

test('a state that Linear does not have stops doctor and worker; one that it has does not', async () => {
  const fake = await FakeLinear.start();
  onTestFinished(() => fake.finish());
  const fixture = await openFixture(SECRETS);
  const remote = createRemote(fixture.folder);
  const workflow = (states: string): string =>
    `server: {port: -1}\ntracker: {kind: linear, endpoint: "${fake.url}", api_key: $LINEAR_API_KEY, project_slug: ${PROJECT_SLUG}, active_states: ${states}}
repo: {clone_url: ${remote}}\nagent: {default: mock}`;
  fixture.write(workflow('[Tood]'));
  expect((await fixture.findings()).by['tracker-states']).toMatchObject({
    status: 'fail',
    text: 'tracker.active_states: linear has no state "Tood"',
    fix: expect.stringContaining('Did you mean Todo?'),
  });
  await expect(startWorker(fixture)).rejects.toMatchObject({
    code: 'setup_broken',
    message: expect.stringMatching(/no state "Tood"\n {2}Fix: Did you mean Todo\?/),
  });
  fixture.write(workflow('[Todo]'));
  expect((await fixture.findings()).by['tracker-states']).toMatchObject({ status: 'ok' });
  await startWorker(fixture);
});

test('a remote that would refuse a push, and one that takes it', async () => {
  const fixture = await openFixture({ PUSH_TOKEN: 'dummy-right', NO_TOKEN: 'dummy-wrong' });
  const { url } = await serveWithPassword(createRemote(fixture.folder), 'x-access-token:dummy-right');
  fixture.write(`${LOCAL}\nrepo: {clone_url: "${url}", token: $NO_TOKEN}`);
  expect((await fixture.findings()).by['push']).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('dry run of a push'),
    fix: expect.stringContaining('Give repo.token the right to write to the repository'),
  });
  fixture.write(`${LOCAL}\nrepo: {clone_url: "${url}", token: $PUSH_TOKEN}`);
  expect((await fixture.findings()).by['push']).toMatchObject({
    status: 'ok',
    text: expect.stringContaining('would take a branch, with repo.token'),
  });
});

test('programs that are signed out are told with the command that signs them in', async () => {
  const fixture = await openFixture();
  fixture.write(`${LOCAL}\nagent: {default: codex-app-server, profiles: {c: {runner: claude}}}`);
  const program = (status: string, code: number): string =>
    `case "$1" in login|auth) echo '${status}'; exit ${code};; --version) echo codex-cli 0.166.0;; *) exit 1;; esac`;
  fixture.addProgram('codex', program('Not logged in', 1));
  fixture.addProgram('claude', program('{"loggedIn": false, "authMethod": "none"}', 1));
  const out = await fixture.findings();
  expect(out.by).toMatchObject({
    'sign-in-codex-app-server': { status: 'fail', fix: expect.stringContaining('codex login') },
    'sign-in-claude': { status: 'fail', fix: expect.stringContaining('claude auth login') },
    'handshake-claude': {
      status: 'fail',
      text: expect.stringContaining('Claude is not signed in'),
      fix: expect.stringContaining('claude auth login'),
    },
  });
  fixture.addProgram('codex', program('Logged in using ChatGPT', 0));
  fixture.addProgram('claude', program('{"loggedIn": true, "authMethod": "oauth"}', 0));
  expect((await fixture.findings()).by).toMatchObject({
    'sign-in-codex-app-server': { status: 'ok' },
    'sign-in-claude': { status: 'ok', text: 'signed in by oauth' },
    'handshake-claude': { status: 'fail', text: expect.not.stringContaining('signed in') },
  });
});

test('the handshakes of several agents do not end one another', async () => {
  const fixture = await openFixture();
  const ended = join(fixture.folder, 'codex-has-ended');
  const { command: claude } = fakeClaudeSettings('happy');
  // Claude answers only after Codex, with all that carries its run's id, was ended.
  fixture.write(`${LOCAL}\nagent: {default: codex-app-server, profiles: {slow: {runner: claude}}}
codex: {command: ${JSON.stringify(`${fakeCodexCommand('happy')}; touch ${ended}`)}}
claude: {command: ${JSON.stringify(`until test -e ${ended}; do sleep 0.05; done; ${claude}`)}}`);
  expect((await fixture.findings()).by).toMatchObject({
    'handshake-codex-app-server': { status: 'ok', text: expect.stringContaining('it answered') },
    'handshake-claude': { status: 'ok', text: expect.stringContaining('it answered') },
  });
});
