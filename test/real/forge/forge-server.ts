import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findForgeBinary } from './forgejo-binary.ts';

const run = promisify(execFile);

export interface ForgeServer {
  /** `http://127.0.0.1:PORT`, for the API and for git. */
  readonly url: string;
  readonly token: string;
  readonly user: string;
  readonly password: string;
  stop(): Promise<void>;
}

/** Why no forge can run here, or null. */
export async function whyNoForge(): Promise<string | null> {
  try {
    await run('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']);
  } catch (error) {
    return `bubblewrap cannot make a jail here: ${error instanceof Error ? error.message : error}`;
  }
  const binary = await findForgeBinary();
  return 'missing' in binary ? binary.missing : null;
}

const USER = 'boss';
const PASSWORD = 'not-a-real-password-1';

/** A real forge in a jail without any network; only its socket leads out, through a proxy on loopback. */
export async function startForge(): Promise<ForgeServer> {
  const binary = await findForgeBinary();
  if ('missing' in binary) throw new Error(binary.missing);
  const folder = await mkdtemp(join(tmpdir(), 'forge-'));
  const proxy = createProxy(join(folder, 'forge.sock'));
  let child: ChildProcess | null = null;
  const stop = async (): Promise<void> => {
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = await listen(proxy);
    const url = `http://127.0.0.1:${port}`;
    await prepare(folder, url);
    const jail = jailArguments(folder, binary.path);
    const forge = (...args: string[]): Promise<{ stdout: string }> =>
      run('bwrap', [...jail, '/forge', ...args, '-c', '/data/app.ini'], { env: {} });
    await forge('migrate');
    await forge(
      'admin',
      'user',
      'create',
      '--admin',
      '--username',
      USER,
      '--password',
      PASSWORD,
      '--email',
      'boss@example.test',
    );
    const made = await forge(
      'admin',
      'user',
      'generate-access-token',
      '--username',
      USER,
      '--scopes',
      'all',
      '--raw',
    );
    child = spawn('bwrap', [...jail, '/forge', 'web', '-c', '/data/app.ini'], { env: {}, stdio: 'ignore' });
    await waitUntilUp(url, child, folder);
    return { url, token: made.stdout.trim(), user: USER, password: PASSWORD, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepare(folder: string, url: string): Promise<void> {
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, 'passwd'), 'git:x:1000:1000::/data/home:/bin/sh\n');
  await writeFile(join(folder, 'app.ini'), appIni(url));
}

function appIni(url: string): string {
  return `
APP_NAME = test
RUN_USER = git
RUN_MODE = prod
WORK_PATH = /data
[server]
PROTOCOL = http+unix
HTTP_ADDR = /data/forge.sock
ROOT_URL = ${url}/
DISABLE_SSH = true
OFFLINE_MODE = true
LFS_START_SERVER = false
[database]
DB_TYPE = sqlite3
PATH = /data/forge.db
SQLITE_JOURNAL_MODE = WAL
[repository]
ROOT = /data/repositories
DEFAULT_BRANCH = main
[security]
INSTALL_LOCK = true
SECRET_KEY = only-for-tests
INTERNAL_TOKEN = only-for-tests
PASSWORD_HASH_ALGO = pbkdf2_v1
[oauth2]
ENABLED = false
[log]
MODE = file
LEVEL = Warn
ROOT_PATH = /data/log
[service]
DISABLE_REGISTRATION = true
[mailer]
ENABLED = false
[indexer]
ISSUE_INDEXER_TYPE = db
[cron]
ENABLED = false
[actions]
ENABLED = false
[queue]
TYPE = channel
`;
}

/** Sees the system's programs read-only, its own folder, and nothing else; has no network and no other user's rights. */
function jailArguments(folder: string, binary: string): readonly string[] {
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--uid', '1000', '--gid', '1000'],
    ...['--ro-bind', '/usr', '/usr', '--ro-bind-try', '/lib', '/lib', '--ro-bind-try', '/lib64', '/lib64'],
    ...['--ro-bind', '/bin', '/bin', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...[
      '--bind',
      folder,
      '/data',
      '--ro-bind',
      binary,
      '/forge',
      '--ro-bind',
      join(folder, 'passwd'),
      '/etc/passwd',
    ],
    ...['--setenv', 'HOME', '/data/home', '--setenv', 'USER', 'git', '--setenv', 'PATH', '/usr/bin:/bin'],
  ];
}

function createProxy(socketPath: string): Server {
  return createServer((client) => {
    client.setNoDelay(true);
    const forge = connect(socketPath);
    for (const [from, to] of [
      [client, forge],
      [forge, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address.port;
}

async function waitUntilUp(url: string, child: ChildProcess, folder: string): Promise<void> {
  const deadline = Date.now() + 80_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break;
    const response = await fetch(`${url}/api/v1/version`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => null,
    );
    await response?.body?.cancel();
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const log = await readFile(join(folder, 'log', 'forgejo.log'), 'utf8').catch(() => '');
  throw new Error(`the forge did not come up: ${log.slice(-2_000)}`);
}
