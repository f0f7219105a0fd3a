import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root, say } from './program.mjs';

const RETRY_MS = 200;
/** No set-up takes longer; a lock this old was left behind and its process id may belong to someone else. */
const ABANDONED_AFTER_MS = 10 * 60_000;

const lockPath = join(
  tmpdir(),
  `aiops-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`,
);

/** Lets one process at a time set this checkout up, so that `npm run demo` beside `npm test` is safe. */
export async function withSetupLock(work) {
  await acquire();
  try {
    return await work();
  } finally {
    rmSync(lockPath, { force: true });
  }
}

async function acquire() {
  for (let told = false; ; ) {
    try {
      writeFileSync(lockPath, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned()) {
      rmSync(lockPath, { force: true });
      continue;
    }
    if (!told) say('Another command is setting this checkout up; waiting for it');
    told = true;
    await delay(RETRY_MS);
  }
}

function isAbandoned() {
  try {
    const owner = Number(readFileSync(lockPath, 'utf8'));
    if (Date.now() - statSync(lockPath).mtimeMs > ABANDONED_AFTER_MS) return true;
    return owner > 0 && !isAlive(owner);
  } catch (error) {
    return error.code !== 'ENOENT';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
