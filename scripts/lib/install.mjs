import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSetupLock } from './lock.mjs';
import { root, SetupError, say } from './program.mjs';
import { runCommand, secondsSince } from './run-command.mjs';

const OLDEST_NODE = [20, 19];
const HEARTBEAT_MS = 15_000;
const OFFLINE_SIGNS =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

const lockfile = join(root, 'package-lock.json');
/** npm writes this file last, so its presence means that an installation was finished. */
const installed = join(root, 'node_modules', '.package-lock.json');
const stamp = join(root, 'node_modules', '.install-stamp');

/** Installs the locked dependencies when they are missing or belong to another lockfile. Quiet otherwise. */
export async function ensureInstalled() {
  checkNodeVersion(process.versions.node);
  if (isInstalled()) return;
  await withSetupLock(async () => {
    if (!isInstalled()) await install();
  });
}

export function checkNodeVersion(version) {
  const [major, minor] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = OLDEST_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new SetupError(
    `Node ${version} is too old; install Node ${OLDEST_NODE.join('.')} or newer and try again`,
  );
}

export function explainFailure(output) {
  if (OFFLINE_SIGNS.test(output)) {
    return 'npm ci could not reach the package registry; connect to the network, or set the proxy npm needs, and try again';
  }
  return 'npm ci failed; its own message is above. Solve that, or delete node_modules, and try again';
}

async function install() {
  say('Installing dependencies with npm ci (needed once, usually under a minute)');
  const started = Date.now();
  const heartbeat = setInterval(() => say(`  still installing, ${secondsSince(started)}`), HEARTBEAT_MS);
  const result = await runNpm([
    'ci',
    '--include=dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ]).finally(() => clearInterval(heartbeat));
  if (result.code !== 0) throw new SetupError(explainFailure(result.output));
  writeFileSync(stamp, lockfileHash());
  say(`Installed in ${secondsSince(started)}`);
}

async function runNpm(args) {
  const current = process.env.npm_execpath;
  if (current?.endsWith('npm-cli.js')) return runCommand(process.execPath, [current, ...args]);
  return runCommand('npm', args).catch((error) => {
    throw new SetupError(`npm could not be started (${error.message}); install npm and try again`);
  });
}

function isInstalled() {
  if (!existsSync(installed)) return false;
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockfileHash();
  return statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs;
}

function lockfileHash() {
  return createHash('sha256').update(readFileSync(lockfile)).digest('hex');
}
