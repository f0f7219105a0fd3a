import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { hasErrno } from '../../../errors/app-error.ts';
import { MAX_FILE_BYTES } from '../schema.ts';

export type FileReading =
  | { readonly kind: 'text'; readonly text: string; readonly mode: number; readonly modifiedMs: number }
  | { readonly kind: 'gone' }
  /** Something is there but is no readable text file. `contentKey` changes with its content. */
  | { readonly kind: 'unusable'; readonly problem: string; readonly contentKey: string };

/** Errors that belong to one file; any other means the folder cannot be trusted now and fails the whole call. */
const ONE_FILE_ERRORS = ['EACCES', 'EPERM', 'ELOOP', 'EMLINK', 'ENXIO', 'EISDIR'];

/**
 * Reads one issue file: regular, not a symbolic link, at most 1 MiB, UTF-8 text. Never blocks on a pipe.
 * Synchronous, because a small local file is read in less time than a thread is asked to; callers take pauses.
 */
export function readIssueFile(path: string): FileReading {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return { kind: 'gone' };
    const code = ONE_FILE_ERRORS.find((candidate) => hasErrno(error, candidate));
    if (code === undefined) throw error;
    const isLink = code === 'ELOOP' || code === 'EMLINK';
    return unusable(isLink ? 'it is a symbolic link' : `it cannot be read (${code})`);
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return unusable('it is not a regular file');
    if (stats.size > MAX_FILE_BYTES) return tooLarge(stats.size);
    return decode(readBounded(descriptor, Number(stats.size)), stats);
  } finally {
    closeSync(descriptor);
  }
}

/** Identity of a file's content as far as its metadata tells. */
export function versionOf(stats: BigIntStats): string {
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/** Reads to the end, or one byte past the limit. */
function readBounded(descriptor: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, length);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  // It grew since its size was taken.
  return length > MAX_FILE_BYTES ? buffer : readBounded(descriptor, MAX_FILE_BYTES);
}

function decode(bytes: Buffer, stats: BigIntStats): FileReading {
  if (bytes.length > MAX_FILE_BYTES) return tooLarge(BigInt(bytes.length));
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return unusable('it is not UTF-8 text', bytes);
  }
  if (text.includes('\0')) return unusable('it is not a text file', bytes);
  return { kind: 'text', text, mode: Number(stats.mode) & 0o777, modifiedMs: Number(stats.mtimeMs) };
}

function tooLarge(size: bigint): FileReading {
  return unusable(`it is larger than ${MAX_FILE_BYTES / 1024} KiB (${size} bytes)`);
}

function unusable(problem: string, bytes?: Buffer): FileReading {
  return { kind: 'unusable', problem, contentKey: contentKey(problem, bytes ?? '') };
}

/** Changes exactly when the content does, so that a complaint about it is made once. */
export function contentKey(problem: string, content: Buffer | string): string {
  return createHash('sha1').update(problem).update('\0').update(content).digest('hex');
}
