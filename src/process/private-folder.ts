import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { AppError } from '../errors/app-error.ts';

const OTHERS = 0o077;

export interface Openness {
  readonly why: string;
  /** What mends it. */
  readonly fix: string;
  /** True when the worker itself closes it: it is this user's, and empty or used by a worker before. */
  readonly closable: boolean;
}

/** A worker's own folder inside of every root that it has used. */
const OWN_FOLDER = '.aiops';
const STICKY = 0o1000;

/**
 * Why a folder is not this user's alone, with the command that mends it; null when it is, or does not exist yet.
 * Where the system has no owners and modes (Windows), nothing can be said.
 */
export async function whyNotPrivate(path: string): Promise<Openness | null> {
  const user = process.getuid?.();
  if (user === undefined) return null;
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isDirectory()) return { why: 'it is no folder', fix: `Move ${path} away.`, closable: false };
  if (found.uid !== user) {
    return {
      why: `it belongs to another user (uid ${found.uid}, this one is ${user})`,
      fix: `Run \`sudo chown -R ${user} ${quoted(path)}\`, or move the folder away.`,
      closable: false,
    };
  }
  if ((found.mode & OTHERS) === 0) return null;
  const mode = (found.mode & 0o777).toString(8).padStart(3, '0');
  const names = await readdir(path);
  return {
    why: `others may enter it (mode ${mode})`,
    fix: `Run \`chmod 700 ${quoted(path)}\`.`,
    closable: (found.mode & STICKY) === 0 && (names.length === 0 || names.includes(OWN_FOLDER)),
  };
}

/** Makes a folder, and those above it, that only its owner may look into; rejects with `folder_not_private` otherwise. */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await whyNotPrivate(path);
  if (found === null) return;
  throw new AppError('folder_not_private', `${path} is not yours alone: ${found.why}`, { hint: found.fix });
}

/**
 * The same for a folder that the workflow names. One of this user's that is empty, or that a worker has used before, may
 * have an open mode: it is closed to others. Any other that others may enter is refused, since it serves something else.
 */
export async function closeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await whyNotPrivate(path))?.closable === true) await chmod(path, 0o700);
  await ensurePrivateFolder(path);
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
