import { opendir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type DirectoryHandle, openDirectoryHandle } from '../files/directory-handle.ts';
import { readFileIn, replaceFileIn } from '../files/directory-handle-files.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;
/** Repositories of submodules that are looked at; more are no work of a session. */
const MAX_FOLDERS = 1_000;
const DEEPEST = 8;
/** Parts of a git directory that hold no repository. */
const PARTS = new Set(['objects', 'refs', 'logs', 'hooks', 'info', 'lfs', 'worktrees']);

/**
 * Takes user and password for one host out of the addresses that an earlier version left in the configuration of a
 * workspace and of its submodules. The files are the agent's: nothing is followed or run. Gives how many were changed.
 */
export async function dropOldPasswords(gitDirectory: string, cloneUrl: string): Promise<number> {
  if (!/^https?:/i.test(cloneUrl) || !URL.canParse(cloneUrl)) return 0;
  const { host } = new URL(cloneUrl);
  const clean = (text: string): string => withoutPasswords(text, host);
  const held = await openDirectoryHandle(dirname(gitDirectory), [basename(gitDirectory)]);
  if (held === null) return 0;
  const visit = { left: MAX_FOLDERS, changed: 0 };
  try {
    await cleanConfig(held, clean, visit);
    const modules = await held.enter('modules');
    if (modules !== null) await cleanBelow(modules, clean, visit, DEEPEST);
  } finally {
    await held.close();
  }
  return visit.changed;
}

interface Visit {
  left: number;
  changed: number;
}

type Clean = (text: string) => string;

/** Names of submodules may hold slashes, so that a repository can be at any depth. Closes the folder. */
async function cleanBelow(folder: DirectoryHandle, clean: Clean, visit: Visit, depth: number): Promise<void> {
  try {
    for await (const entry of await opendir(folder.at(''))) {
      if (visit.left <= 0) return;
      if (!entry.isDirectory() || PARTS.has(entry.name)) continue;
      visit.left -= 1;
      const inner = await folder.enter(entry.name);
      if (inner === null) continue;
      await cleanConfig(inner, clean, visit);
      if (depth > 1) await cleanBelow(inner, clean, visit, depth - 1);
      else await inner.close();
    }
  } finally {
    await folder.close();
  }
}

async function cleanConfig(folder: DirectoryHandle, clean: Clean, visit: Visit): Promise<void> {
  const text = await readFileIn(folder, 'config', MAX_CONFIG_BYTES);
  if (text === null || !text.includes('@')) return;
  const cleaned = clean(text);
  if (cleaned === text) return;
  await replaceFileIn(folder, 'config', cleaned);
  visit.changed += 1;
}

function withoutPasswords(text: string, host: string): string {
  return text.replaceAll(/(https?:\/\/)[^\s/@"]*@([^\s/"#;]+)/gi, (whole, scheme: string, found: string) =>
    found.toLowerCase() === host.toLowerCase() ? `${scheme}${found}` : whole,
  );
}
