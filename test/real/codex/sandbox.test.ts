import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SandboxConfig } from '../../../src/config/config.ts';
import type { CodexSettings } from '../../../src/runners/codex/settings.ts';
import { createSandbox } from '../../../src/runners/sandbox/sandbox.ts';
import { processesOfRun } from '../../contracts/runner-fixture.ts';
import { sandboxSettings, sandboxWorks, works } from '../../fakes/sandboxes.ts';
import { type CodexFixture, codexBinary, never, openCodexFixture } from './codex-fixture.ts';
import { serveOverTls } from './https-remote.ts';

const BACKENDS = (['bubblewrap', 'firejail'] as const).filter(
  (backend) => codexBinary !== null && sandboxWorks(backend),
);

/** Runs one command of the agent inside and answers what it wrote to `RESULT` in the workspace. */
async function runInside(
  script: string,
  configIn: (root: string) => SandboxConfig,
  prepare: (opened: CodexFixture) => void = () => {},
  codex: Partial<CodexSettings> = {},
) {
  const opened = await openCodexFixture((_request, number) =>
    number === 1
      ? {
          items: [
            { call: 'exec_command', args: { cmd: `{ ${script}\n} > RESULT 2>&1`, yield_time_ms: 20_000 } },
          ],
        }
      : { items: [{ say: 'done' }] },
  );
  prepare(opened);
  const { fixture, open, environment } = opened;
  const sandbox = createSandbox(configIn(fixture.root), join(fixture.root, 'mirrors'));
  const session = await open(
    codex,
    {
      environment: { ...environment, UNLISTED: 'seen' },
      borrowedFolders: [join(fixture.root, 'mirrors', 'repo.git', 'objects')],
    },
    sandbox,
  );
  const turn = await session.runTurn('go', never);
  const result = existsSync(join(fixture.workspace, 'RESULT'))
    ? readFileSync(join(fixture.workspace, 'RESULT'), 'utf8')
    : '';
  return { ...opened, session, turn, result };
}

describe.each(BACKENDS)('an agent in %s', (backend) => {
  test('works with git, names, certificates and the model, and reaches nothing else', async () => {
    const probes = `
      git -c user.name=A -c user.email=a@x.invalid commit --allow-empty -qm Inside && echo committed
      git cat-file -t "$(git rev-parse main)" && echo objects
      getent hosts localhost > /dev/null && echo names
      test ! -e /usr/share/ca-certificates || test -s /etc/ssl/certs/ca-certificates.crt && echo certificates
      cat "$HOME/.login" && echo x >> "$HOME/.login" || echo login-kept
      cat "$HOME/.secret" || echo no-secret
      ls ../other || echo no-neighbour
      test -z "$(cat /etc/shadow 2> /dev/null)" && echo no-shadow
      touch /usr/escape || echo no-system
      echo "unlisted: $UNLISTED"
      test -z "$(ls /proc | grep -x ${process.pid})" && echo no-worker`;
    const { turn, result, fixture } = await runInside(
      probes,
      (root) => sandboxSettings({ backend, credentialFiles: [join(root, 'home', '.login')] }),
      ({ fixture: { root, workspace, git } }) => {
        const home = join(root, 'home');
        writeFileSync(join(home, '.login'), 'signed in\n');
        writeFileSync(join(home, '.secret'), 'the secret\n');
        mkdirSync(join(root, 'other'));
        mkdirSync(join(root, 'mirrors'));
        git('clone', '-q', '--bare', workspace, join(root, 'mirrors', 'repo.git'));
        writeFileSync(
          join(workspace, '.git', 'objects', 'info', 'alternates'),
          `${join(root, 'mirrors', 'repo.git', 'objects')}\n/root\n`,
        );
      },
    );
    expect(turn).toEqual({ kind: 'completed' });
    const expected = [
      ...[
        'committed',
        'objects',
        'names',
        'certificates',
        'signed in',
        'login-kept',
        'no-secret',
        'no-neighbour',
      ],
      ...['no-shadow', 'no-system', 'unlisted: ', 'no-worker'],
    ];
    expect(result.split('\n')).toEqual(expect.arrayContaining(expected));
    expect(result).not.toContain('the secret');
    expect(fixture.git('log', '-1', '--format=%s').trim()).toBe('Inside');
    expect(readFileSync(join(fixture.root, 'home', '.login'), 'utf8')).toBe('signed in\n');
  });

  test.runIf(works('openssl', 'version'))(
    'speaks git over TLS to a host that it looks up by name, and checks the certificate',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'aiops-tls-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const remote = join(folder, 'remote.git');
      execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
      const url = await serveOverTls(folder, remote);
      const { turn, result } = await runInside(
        `git -c http.sslCAInfo="$PWD/.git/ca.pem" ls-remote ${url} && echo trusted
       git ls-remote ${url} || echo distrusted`,
        () => sandboxSettings({ backend }),
        ({ fixture: { workspace, git } }) => {
          git('push', '-q', remote, 'HEAD:refs/heads/main');
          execFileSync('git', ['update-server-info'], { cwd: remote });
          copyFileSync(join(folder, 'tls.pem'), join(workspace, '.git', 'ca.pem'));
        },
      );
      expect(turn).toEqual({ kind: 'completed' });
      expect(result).toMatch(/refs\/heads\/main\ntrusted\n[\s\S]*certificate[\s\S]*distrusted\n$/);
    },
  );

  test('without a network does not even reach the model', async () => {
    const { turn, model } = await runInside(
      'true',
      () => sandboxSettings({ backend, network: 'none' }),
      () => {},
      {
        turnTimeoutMs: 2_000,
      },
    );
    expect(turn).toMatchObject({ kind: 'timed_out' });
    expect(model.requests).toEqual([]);
  });

  test('resumes its thread, and its whole tree ends with it', async () => {
    const { fixture, session, open, environment, model } = await runInside(
      'setsid sleep 600 & disown; true',
      () => sandboxSettings({ backend }),
    );
    const { sessionId } = await fixture.seen('session_started');
    await session.stop();
    expect(processesOfRun(fixture.runId)).toEqual([]);
    fixture.clear();
    const sandbox = createSandbox(sandboxSettings({ backend }), join(fixture.root, 'mirrors'));
    const again = await open({}, { environment, resumeSessionId: sessionId }, sandbox);
    expect(await again.runTurn('again', never)).toEqual({ kind: 'completed' });
    expect(fixture.events[0]).toMatchObject({ sessionId, resumed: true });
    expect(model.requests.at(-1)?.input).toContain('again');
  });
});

/** A network of its own with two addresses, of which the sandbox may reach one. */
const NETWORK = `mount -t sysfs sysfs /sys; ip link set lo up; ip link add br0 type bridge; ip addr add 10.77.0.1/24 dev br0
ip addr add 10.78.0.1/24 dev br0; ip link set br0 up`;
const canMakeNetwork = BACKENDS.includes('firejail') && works('unshare', '-nm', 'sh', '-ec', NETWORK);

test.runIf(canMakeNetwork)('an allow-list lets the agent reach the listed addresses only', async () => {
  const { fixture, environment } = await openCodexFixture(() => 'hang');
  const server = `require("net").createServer((s) => s.end("hello")).listen(8080)`;
  const reach = (address: string): string =>
    `timeout 5 bash -c 'cat < /dev/tcp/${address}/8080' && echo || echo blocked`;
  const probe = `${reach('10.77.0.1')}; ${reach('10.78.0.1')}`;
  const limits = {
    network: 'allowlist',
    networkAllowlistCidrs: ['10.77.0.0/24'],
    networkInterface: 'br0',
  } as const;
  const sandbox = createSandbox(
    sandboxSettings({ backend: 'firejail', ...limits }),
    join(fixture.root, 'mirrors'),
  );
  const plain = { command: 'bash', args: ['-c', probe], env: environment };
  const place = {
    workspacePath: fixture.workspace,
    stateFolders: [join(fixture.root, 'home', '.codex')],
    variables: [],
  };
  const launch = await sandbox?.wrap(plain, place);
  if (launch === undefined) throw new Error('there is no sandbox');
  const script = `${NETWORK}; ${process.execPath} -e '${server}' & server=$!; "$@"; kill $server`;
  const args = ['-nm', 'sh', '-c', script, 'sh', launch.command, ...launch.args];
  const output = execFileSync('unshare', args, {
    env: launch.env,
    encoding: 'utf8',
    cwd: fixture.workspace,
    timeout: 60_000,
  });
  expect(output.trim().split('\n')).toEqual(['hello', 'blocked']);
  const filter =
    launch.args.find((arg) => arg.startsWith('--netfilter='))?.slice('--netfilter='.length) ?? '';
  expect(existsSync(filter)).toBe(true);
  await launch.dispose?.();
  expect(existsSync(filter)).toBe(false);
});
