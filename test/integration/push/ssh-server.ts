import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { waitFor } from '../../e2e/cli/wait.ts';

const SSHD = '/usr/sbin/sshd';

/** A real server needs the program, and a user without a locked account. */
export function hasSshServer(): boolean {
  return existsSync(SSHD);
}

export interface SshServer {
  /** Of a repository on this machine, through the server. */
  urlOf(path: string): string;
  readonly key: string;
  /** What ssh is called with so that it knows this server, and nothing of the user's own. */
  readonly client: string;
}

/** An sshd on loopback that takes one key, of the user who runs the tests. */
export async function startSshServer(folder: string): Promise<SshServer> {
  mkdirSync(folder);
  const [hostKey, key, allowed] = ['host-key', 'key', 'authorized'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [hostKey, key])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path], { stdio: 'ignore' });
  writeFileSync(allowed, readFileSync(`${key}.pub`));
  chmodSync(key, 0o600);
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${allowed}`,
    `PidFile ${join(folder, 'pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
  ];
  writeFileSync(join(folder, 'config'), `${settings.join('\n')}\n`);
  // Root's server wants this folder, which the system makes only when it starts the service.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const log = join(folder, 'log');
  const server = spawn(SSHD, ['-D', '-E', log, '-f', join(folder, 'config')], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('close', resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  const describe = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : 'no log');
  await waitFor('the ssh server listens', () => answers(port), { describe });
  const hosts = join(folder, 'known-hosts');
  const [type, id] = readFileSync(`${hostKey}.pub`, 'utf8').split(' ');
  writeFileSync(hosts, `[127.0.0.1]:${port} ${type} ${id}\n`);
  return {
    urlOf: (path) => `ssh://${userInfo().username}@127.0.0.1:${port}${path}`,
    key,
    client: `ssh -F none -o BatchMode=yes -o UserKnownHostsFile='${hosts}' -o GlobalKnownHostsFile=none`,
  };
}

/** An agent of ssh that holds the key; gives its socket. */
export async function startSshAgent(folder: string, key: string): Promise<string> {
  const socket = join(folder, 'agent');
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  const ended = new Promise((resolve) => agent.once('close', resolve));
  onTestFinished(async () => {
    agent.kill();
    await ended;
  });
  await waitFor('the agent of ssh is there', () => existsSync(socket));
  execFileSync('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket }, stdio: 'ignore' });
  return socket;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
