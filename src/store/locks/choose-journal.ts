import { existsSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readLockHolder } from '../../process/locks/file-lock.ts';
import { journalPathOf, scopeJournalPathOf } from '../journal-path.ts';
import { copyJournal } from '../sqlite/journal-copy.ts';
import { workerLockPath } from './worker-lock.ts';

/**
 * The journal for a worker that holds its lock: that of the root, unless a worker of another scope is there, which has it
 * open. Then the scope gets one of its own, beginning with what the common one knows, and keeps it from then on.
 */
export async function chooseJournal(root: string, scope: string): Promise<string> {
  const common = journalPathOf(root);
  const own = scopeJournalPathOf(root, scope);
  if (existsSync(own)) return own;
  if (!(await hasOtherWorker(workerLockPath({ root, scope })))) return common;
  if (existsSync(common)) {
    const draft = `${own}.draft`;
    copyJournal(common, draft);
    if (existsSync(`${draft}-wal`)) renameSync(`${draft}-wal`, `${own}-wal`);
    renameSync(draft, own);
  }
  return own;
}

async function hasOtherWorker(ownLock: string): Promise<boolean> {
  const folder = dirname(ownLock);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!/^worker-[0-9a-f]{16}\.lock$/.test(name) || path === ownLock) continue;
    if ((await readLockHolder(path)) !== null) return true;
  }
  return false;
}
