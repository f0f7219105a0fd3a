import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { parseForeignJson } from '../../domain/nesting.ts';
import { ifMissing } from '../../errors/app-error.ts';
import { readBootId } from '../table/proc-linux.ts';
import { isAlive, readIdentity } from '../table/process-identity.ts';

/** The content of a lock file. */
export interface LockHolder {
  readonly pid: number;
  readonly startTime: string;
  readonly purpose: string;
  /** ISO time. */
  readonly since: string;
  readonly host: string;
  /** Where `pid` has a meaning: the machine, and on Linux the pid namespace (a container has its own). */
  readonly place: string;
  /** Unique for each time a lock is taken. */
  readonly nonce: string;
}

export interface FoundHolder {
  readonly holder: LockHolder;
  /** The file's last heartbeat, milliseconds since the epoch. */
  readonly touchedAt: number;
  /** False for a file that no process of ours could have written. */
  readonly valid: boolean;
}

/** Silence after which a holder that cannot be looked at counts as dead: several missed heartbeats. */
const FOREIGN_SILENCE_MS = 30_000;
const MAX_HOLDER_BYTES = 4096;
const MAX_PURPOSE_LENGTH = 500;
const UNKNOWN_HOLDER = {
  pid: 0,
  startTime: '',
  purpose: 'unknown',
  since: 'unknown',
  host: 'unknown',
  place: '',
};

export async function createHolder(purpose: string): Promise<LockHolder> {
  const identity = await readIdentity(process.pid);
  return {
    pid: process.pid,
    startTime: identity?.startTime ?? '',
    purpose: purpose.slice(0, MAX_PURPOSE_LENGTH),
    since: new Date().toISOString(),
    host: hostname(),
    place: currentPlace(),
    nonce: randomBytes(8).toString('hex'),
  };
}

/** Null when there is no such file. */
export async function readHolder(path: string): Promise<FoundHolder | null> {
  const file = await open(path, 'r').catch(ifMissing(null));
  if (file === null) return null;
  try {
    const info = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HOLDER_BYTES), 0, MAX_HOLDER_BYTES, 0);
    const holder = parseHolder(buffer.toString('utf8', 0, bytesRead));
    return {
      holder: holder ?? { ...UNKNOWN_HOLDER, nonce: `${info.ino}-${Math.floor(info.mtimeMs)}` },
      touchedAt: info.mtimeMs,
      valid: holder !== null,
    };
  } finally {
    await file.close();
  }
}

/** Lock files appear with their whole content, so an unreadable one was left by a crash of the machine. */
export async function isHolderAlive({ holder, touchedAt, valid }: FoundHolder): Promise<boolean> {
  if (!valid) return false;
  if (holder.place === currentPlace()) return isAlive(holder);
  return Date.now() - touchedAt < FOREIGN_SILENCE_MS;
}

function currentPlace(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    return `${readBootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function parseHolder(text: string): LockHolder | null {
  let value: unknown;
  try {
    value = parseForeignJson(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const field = (name: string): string => String(Reflect.get(value, name) ?? '');
  // The nonce becomes part of a file name.
  if (!/^[0-9a-f]{16}$/.test(field('nonce'))) return null;
  return {
    pid: Number(field('pid')),
    startTime: field('startTime'),
    purpose: field('purpose'),
    since: field('since'),
    host: field('host'),
    place: field('place'),
    nonce: field('nonce'),
  };
}
