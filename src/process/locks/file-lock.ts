import { mkdir, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { createHolder, isHolderAlive, type LockHolder, readHolder } from './lock-holder.ts';
import { createLockFile, removeLockFile, sweepStale } from './lock-store.ts';

export type { LockHolder } from './lock-holder.ts';

export interface FileLock {
  readonly path: string;
  readonly holder: LockHolder;
  /** Gives the lock back. Safe to call twice. */
  release(): Promise<void>;
}

export interface FileLockOptions {
  /** What the lock is held for, shown to whoever has to wait. */
  readonly purpose: string;
  /** How long to wait for another holder; 0, the default, tries once. */
  readonly waitMs?: number;
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal;
}

const FIRST_POLL_MS = 5;
const MAX_POLL_MS = 50;
const HEARTBEAT_MS = 5_000;

/**
 * Takes an exclusive lock between processes, as a file that names its holder. A holder that died is replaced at once; for
 * one on another machine or in another container, whose processes cannot be seen, 30 s without a heartbeat stand for death.
 * Rejects with `lock_unavailable`, naming the holder, when it cannot be had in time. Not reentrant, not fair.
 */
export async function acquireFileLock(path: string, options: FileLockOptions): Promise<FileLock> {
  const { purpose, waitMs = 0, signal } = options;
  const started = performance.now();
  const mine = await createHolder(purpose);
  await prepareFolder(path);
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 2, MAX_POLL_MS)) {
    signal?.throwIfAborted();
    const other = await tryTake(path, mine);
    if (other === null) return holdLock(path, mine);
    const left = waitMs - (performance.now() - started);
    if (left <= 0) throw heldByOther(path, other);
    await pauseFor(Math.min(left, pause * (0.5 + Math.random())), signal);
  }
}

/** Who holds the lock; null when nobody does, or only a process that is dead. */
export async function readLockHolder(path: string): Promise<LockHolder | null> {
  const found = await readHolder(path);
  return found !== null && (await isHolderAlive(found)) ? found.holder : null;
}

/** The holder that kept somebody from a lock, by the error that said so; null for any other error. */
export function holderIn(error: unknown): LockHolder | null {
  const holder = error instanceof AppError ? error.context['holder'] : undefined;
  return isHolder(holder) ? holder : null;
}

function isHolder(value: unknown): value is LockHolder {
  return typeof value === 'object' && value !== null && 'pid' in value && 'purpose' in value;
}

/** Null when the lock is now `mine`, else who has it. */
async function tryTake(path: string, mine: LockHolder): Promise<LockHolder | null> {
  for (;;) {
    const found = await readHolder(path);
    if (found === null) {
      if (await createLockFile(path, mine)) return null;
      continue;
    }
    if (await isHolderAlive(found)) return found.holder;
    const breaker = await takeOver(path, found.holder);
    if (breaker !== null) return breaker;
  }
}

/**
 * Removes a dead holder's file; null when it is gone. Only the holder of a second lock, named after the dead holder's
 * unique nonce, may remove it: so a slow process that judged the same holder can never remove its successor's file.
 * The second lock is taken the same way, hence a process that dies right here is replaced too.
 */
async function takeOver(path: string, dead: LockHolder): Promise<LockHolder | null> {
  const breakerPath = `${path}.${dead.nonce}`;
  const me = await createHolder(`taking over ${path}`);
  const other = await tryTake(breakerPath, me);
  if (other !== null) return other;
  try {
    await removeLockFile(path, dead.nonce);
    await sweepStale(path);
  } finally {
    await removeLockFile(breakerPath, me.nonce);
  }
  return null;
}

function holdLock(path: string, holder: LockHolder): FileLock {
  const heartbeat = setInterval(() => {
    const now = new Date();
    // A file that cannot be touched means the lock was removed by hand; release() copes with that.
    utimes(path, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    path,
    holder,
    async release() {
      clearInterval(heartbeat);
      await removeLockFile(path, holder.nonce);
    },
  };
}

async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

async function prepareFolder(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (cause) {
    throw new AppError(
      'lock_unavailable',
      `The folder of the lock ${path} cannot be made: ${messageOf(cause)}.`,
      {
        hint: 'Create the folder and make it writable for the user the worker runs as.',
        cause,
        context: { path },
      },
    );
  }
}

function heldByOther(path: string, holder: LockHolder): AppError {
  const who = `process ${holder.pid} on ${holder.host}, for ${holder.purpose}, since ${holder.since}`;
  return new AppError('lock_unavailable', `The lock ${path} is held by ${who}.`, {
    hint: `Wait for it to finish or end process ${holder.pid}; a dead process loses the lock by itself.`,
    context: { path, holder },
  });
}
