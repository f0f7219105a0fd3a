import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OLDEST_NODE } from '../../../src/doctor/rules/machine/programs.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { CODEX_VERSION } from '../../../src/runners/codex/protocol.ts';
import { openJournal } from '../../../src/store/sqlite/sqlite-journal.ts';
import { readRepositoryFile } from '../../architecture/repository.ts';
import { FAKE_TOKEN, startFakeGithub } from '../../fakes/github/server.ts';
import { createRemote, LOCAL, openFixture } from './fixture.ts';

/** By a process of its own: within this one SQLite lets go of a closed file only after a while. */
function writeJournal(path: string): void {
  const store = new URL('../../../dist/store/sqlite/sqlite-journal.js', import.meta.url);
  const logger = '{debug() {}, info() {}, warn() {}, error() {}, with: () => ({})}';
  const clock = '{now: Date.now, setTimer: () => () => {}}';
  const program = `import { openJournal } from '${store}';
    const options = { path: process.argv[1], scope: '', clock: ${clock}, logger: ${logger} };
    await (await openJournal(options)).close();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program, path]);
}

/** Every file with its size, rights and time. */
function everything(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { mtimeMs, size, mode } = statSync(join(folder, name));
      return `${name} ${mode} ${size} ${mtimeMs}`;
    });
}

test('the oldest Node is the one package.json names', () => {
  const { engines } = JSON.parse(readRepositoryFile('package.json'));
  expect(`${engines.node}.0`).toBe(`>=${OLDEST_NODE}`);
});

test('a workflow that can run passes, and nothing at all is changed', async () => {
  const { folder, write, doctor, findings } = await openFixture();
  write(`${LOCAL}\nrepo: {clone_url: ${createRemote(folder)}, default_branch: main}`);
  writeFileSync(join(folder, 'issues', 'TASK-1.md'), '---\ntitle: One\nstate: Todo\n---\nDo it.\n');
  writeJournal(join(folder, 'root', '.aiops', 'journal.sqlite'));
  const before = everything(folder);
  const { code, by } = await findings();
  expect(code).toBe(0);
  expect(Object.values(by).filter(({ status }) => status === 'fail' || status === 'warn')).toEqual([]);
  expect(by).toMatchObject({
    tracker: { status: 'ok', text: expect.stringContaining('1 issue in Todo') },
    repository: { status: 'ok', text: expect.stringContaining('has main') },
    journal: { status: 'ok', text: expect.stringContaining('no run yet') },
    'mirror-root': { status: 'ok', text: expect.stringContaining('will be created') },
  });
  const { out, err } = await doctor();
  expect(out).toMatch(/^ok {4}Node\.js: Node\.js \d/);
  expect(out).toMatch(/All \d+ checks passed\.\n$/);
  expect(err).toBe('');
  expect(everything(folder)).toEqual(before);
});

test('what is wrong is a failure with its fix, and the exit code tells', async () => {
  const { folder, write, doctor, findings } = await openFixture();
  expect(await doctor()).toMatchObject({ code: 1, out: expect.stringContaining('WORKFLOW.md') });
  write('tracker: {kind: locl}');
  expect(await doctor()).toMatchObject({
    code: 1,
    out: expect.stringMatching(/FAIL {2}Workflow: .*locl[\s\S]*Did you mean local\?[\s\S]*Fix: Correct/),
  });
  write(`${LOCAL}\nrepo: {clone_url: ${join(folder, 'nowhere.git')}, default_branch: main}`);
  await rm(join(folder, 'root'), { recursive: true });
  writeFileSync(join(folder, 'root'), 'a file');
  const { code, by } = await findings();
  expect(code).toBe(1);
  expect(by).toMatchObject({
    repository: { status: 'fail', fix: expect.stringContaining('repo.clone_url') },
    'workspace-root': { status: 'fail', text: expect.stringContaining('it is no folder') },
  });
  expect((await doctor('--nonsense')).code).toBe(2);
});

test('a port is free, or held by a stranger who is named', async () => {
  const { write, findings } = await openFixture();
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  write(`tracker: {kind: local, path: issues}\nserver: {port: ${port}}`);
  expect((await findings()).by['port']).toMatchObject({
    status: 'fail',
    text: expect.stringContaining(process.platform === 'linux' ? `(pid ${process.pid})` : 'in use'),
    fix: expect.stringContaining('--port'),
  });
  server.close();
  await once(server, 'close');
  expect((await findings()).by['port']).toMatchObject({ status: 'ok', text: `127.0.0.1:${port} is free` });
});

test('a journal that a worker writes to is read, a damaged one is a warning', async () => {
  const { folder, write, findings } = await openFixture();
  write(LOCAL);
  const path = join(folder, 'root', '.aiops', 'journal.sqlite');
  const journal = await openJournal({ path, scope: '', clock: systemClock, logger: silentLogger });
  onTestFinished(() => journal.close());
  expect((await findings()).by['journal']).toMatchObject({ status: 'ok' });
  await journal.close();
  writeFileSync(path, 'this is no journal'.repeat(1000));
  expect((await findings()).by['journal']).toMatchObject({
    status: 'warn',
    text: expect.stringContaining('cannot be read'),
    fix: expect.stringContaining('aside'),
  });
});

test('agents are found where a login shell would find them, and a drifted Codex is told with its fix', async () => {
  const { folder, write, findings, addProgram } = await openFixture();
  write(`${LOCAL}\nagent: {default: codex-app-server, profiles: {careful: {runner: claude}, other: {runner: acp}}}
acp: {command: my-agent --acp}`);
  const none = await findings();
  expect(none.code).toBe(1);
  expect(none.by).toMatchObject({
    'agent-codex-app-server': {
      status: 'fail',
      fix: expect.stringContaining(`@openai/codex@${CODEX_VERSION}`),
    },
    'agent-claude': { status: 'fail', fix: expect.stringContaining('@anthropic-ai/claude-code') },
    'agent-acp': { status: 'fail', text: expect.stringContaining('my-agent') },
  });
  addProgram('codex', 'echo codex-cli 0.100.0');
  addProgram('claude', 'echo "2.1.325 (Claude Code)"');
  addProgram('my-agent', 'exit 1');
  const old = await findings();
  expect(old.code).toBe(1);
  expect(old.by).toMatchObject({
    'agent-codex-app-server': {
      status: 'warn',
      text: expect.stringContaining(
        `0.100.0 at ${join(folder, 'home', 'tools', 'codex')} is older than ${CODEX_VERSION}`,
      ),
      fix: `Update it: \`npm install -g @openai/codex@${CODEX_VERSION}\`.`,
    },
    'agent-claude': {
      status: 'ok',
      text: `Claude Code 2.1.325 at ${join(folder, 'home', 'tools', 'claude')}`,
    },
    'agent-acp': { status: 'ok' },
    // None of these speaks the protocol of what it pretends to be.
    'handshake-codex-app-server': { status: 'fail' },
    'handshake-claude': { status: 'fail' },
    'handshake-acp': { status: 'fail' },
  });
  addProgram('codex', `echo codex-cli ${CODEX_VERSION}`);
  rmSync(join(folder, 'home', 'tools', 'claude'));
  const packages = join(folder, 'node_modules', '@anthropic-ai');
  const sdk = join(packages, 'claude-agent-sdk');
  const bundled = join(packages, `claude-agent-sdk-${process.platform}-${process.arch}`);
  for (const path of [sdk, bundled]) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'package.json'), '{"version": "9.8.7", "main": "sdk.js"}');
  }
  writeFileSync(join(sdk, 'sdk.js'), 'throw new Error("it was loaded")');
  expect((await findings()).by['agent-claude']).toMatchObject({ status: 'fail' });
  writeFileSync(join(bundled, 'claude'), '');
  expect((await findings()).by['agent-claude']).toMatchObject({
    status: 'ok',
    text: 'the program of the Claude Agent SDK 9.8.7; there is no claude on the PATH',
  });
  expect((await findings()).by['agent-codex-app-server']).toMatchObject({ status: 'ok' });
});

test('a tracker is asked through its adapter, its labels are compared, and no token is ever shown', async () => {
  const fake = await startFakeGithub();
  onTestFinished(() => fake.finish());
  fake.store.add({ title: 'First', labels: ['Todo'] });
  const { write, doctor, findings } = await openFixture({
    INNOCENT_NAME: FAKE_TOKEN,
    GITHUB_TOKEN: 'ghp_dummy_not_a_key_0002',
  });
  const states = 'active_states: [Todo], inactive_states: [Human Review], terminal_states: [Done]';
  const workflow = (endpoint: string, key: string): string =>
    `server: {port: -1}\ntracker: {kind: github, endpoint: "${endpoint}", api_key: ${key}, ${states}}
repo: {owner: octo, name: app, clone_url: "https://someone:dummy-password-1@127.0.0.1:1/octo/app.git"}
agent: {default: mock}`;
  write(workflow(fake.origin, '$INNOCENT_NAME'));
  const { code, by } = await findings();
  expect(code).toBe(1);
  expect(by).toMatchObject({
    'tracker-credential': { status: 'ok', text: 'taken from $INNOCENT_NAME' },
    tracker: { status: 'ok', text: 'github answers: 1 issue in Todo' },
    'tracker-labels': { status: 'warn', text: expect.stringContaining('Human Review, Done') },
    repository: { status: 'fail', fix: expect.stringContaining('reached') },
  });
  const offline = await findings('--offline');
  expect(offline).toMatchObject({
    code: 0,
    by: { tracker: { status: 'skip' }, 'tracker-labels': { status: 'skip' }, repository: { status: 'skip' } },
  });
  write(workflow(fake.origin, 'dummy_wrong_key_0003'));
  const wrong = await findings();
  expect(wrong.by).toMatchObject({ tracker: { status: 'fail', fix: expect.any(String) } });
  for (const { out, err } of [await doctor(), await doctor('--json')]) {
    for (const secret of [
      FAKE_TOKEN,
      'dummy_wrong_key_0003',
      'ghp_dummy_not_a_key_0002',
      'dummy-password-1',
    ]) {
      expect(out + err).not.toContain(secret);
    }
  }
});

test('on a terminal it says what it is waiting for, and wipes that away', async () => {
  const { write, doctor } = await openFixture({}, true);
  write(LOCAL);
  const { err } = await doctor();
  expect(err).toMatch(/checking 0\/\d+: Node\.js, git/);
  expect(err.endsWith('\r\u001b[K')).toBe(true);
});

const bubblewrapWorks = ((): boolean => {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.runIf(bubblewrapWorks)('a sandbox is really started, and one that cannot start fails', async () => {
  const { write, findings, addProgram } = await openFixture();
  const sandbox =
    'sandbox: {enabled: true, backend: bubblewrap, network: normal, env_allowlist: [PATH, HOME]}';
  write(`${LOCAL}\n${sandbox}`);
  expect((await findings()).by['sandbox']).toMatchObject({
    status: 'ok',
    text: 'bubblewrap starts, network normal',
  });
  addProgram('bwrap', 'echo "bwrap: No permissions to create a new namespace" >&2; exit 1');
  expect((await findings()).by['sandbox']).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('No permissions to create'),
    fix: expect.stringContaining('user namespaces'),
  });
});

test('a root that others may enter, or that is somebody else’s, is refused by the doctor and by the worker alike', async () => {
  const { folder, write, findings, aiops } = await openFixture();
  write(LOCAL);
  const root = join(folder, 'root');
  const look = async () => (await findings()).by['workspace-root'];
  const refusal = async () => (await aiops('worker', '--once')).err;
  chmodSync(root, 0o755);
  expect(await look()).toMatchObject({
    status: 'warn',
    text: expect.stringContaining('a worker closes it when it starts'),
  });
  writeFileSync(join(root, 'letters'), 'Dear');
  const open = {
    text: expect.stringContaining('others may enter it (mode 755)'),
    fix: `Run \`chmod 700 ${root}\`.`,
  };
  expect(await look()).toMatchObject({ status: 'fail', ...open });
  expect(await refusal()).toContain(open.fix);
  chmodSync(root, 0o700);
  expect(await look()).toMatchObject({ status: 'ok' });
  if (process.getuid?.() !== 0) return;
  chownSync(root, 12_345, 12_345);
  const foreign = {
    text: expect.stringContaining('belongs to another user (uid 12345'),
    fix: expect.stringContaining(`sudo chown -R 0 ${root}`),
  };
  expect(await look()).toMatchObject({ status: 'fail', ...foreign });
  expect(await refusal()).toContain(`sudo chown -R 0 ${root}`);
});
