import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { AppError, hasErrno, messageOf } from '../../errors/app-error.ts';
import { acquireFileLock } from '../../process/locks/file-lock.ts';
import { parseIssueText, renderIssueText } from './file/document.ts';
import { readIssueFile } from './file/read-file.ts';
import { createFile, fileName, replaceFile, restoreAside } from './file/write-file.ts';
import type { FolderChanges } from './folder/folder-changes.ts';
import { createIssueReader, type IssueReader } from './folder/reader.ts';
import { type FrontMatter, type IssueContent, isIdentifier, MAX_FILE_BYTES } from './schema.ts';

/** Text of the file in, new text out; throws an AppError to refuse. May be called again after a concurrent edit. */
export type Edit = (text: string, content: IssueContent) => string;

/** A folder of issue files: reads from a cache, writes under the folder's lock. */
export interface IssueFolder extends IssueReader {
  readonly path: string;
  pathOf(id: string): string;
  /** Applies an edit to the newest text; resolves when it is on disk. */
  update(id: string, edit: Edit, signal?: AbortSignal): Promise<void>;
  /** Writes a new issue under the next number of the prefix, and creates the folder if need be. */
  create(prefix: string, fields: FrontMatter, description: string, signal?: AbortSignal): Promise<string>;
}

const LOCK_WAIT_MS = 30_000;
/** An editor that saves in place shows half a file for a moment. */
const HALF_WRITTEN_RETRIES = 5;
const HALF_WRITTEN_WAIT_MS = 40;
/** How long to try against somebody who keeps saving the same file. */
const CONFLICT_PATIENCE_MS = 10_000;

/** `changes` is told of changes by whoever watches the folder. */
export function createIssueFolder(
  path: string,
  clock: Clock = systemClock,
  changes?: FolderChanges,
): IssueFolder {
  const pathOf = (id: string): string => join(path, fileName(id));
  let lastWrite: Promise<unknown> = Promise.resolve();

  /** Writers of this process queue up here, so that only one at a time waits for the lock between processes. */
  function locked<T>(purpose: string, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> {
    const write = lastWrite
      .then(() => lockedBetweenProcesses(purpose, signal, act))
      .catch((error: unknown) => {
        throw isSystemError(error) ? unwritable(path, error) : error;
      });
    lastWrite = write.catch(() => {});
    return write;
  }

  async function lockedBetweenProcesses<T>(
    purpose: string,
    signal: AbortSignal | undefined,
    act: () => Promise<T>,
  ): Promise<T> {
    const lock = await acquireFileLock(join(path, '.lock'), {
      purpose,
      waitMs: LOCK_WAIT_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    try {
      signal?.throwIfAborted();
      return await act();
    } finally {
      await lock.release();
    }
  }

  const reader = createIssueReader(path, clock, changes);
  return {
    path,
    pathOf,
    list: reader.list,
    async update(id, edit, signal) {
      const listed = isIdentifier(id) ? (await reader.list([id])).load(id) : null;
      if (listed === null) throw notFound(id, path);
      await locked(`edit ${id}`, signal, () => applyEdit(id, pathOf(id), edit));
    },
    async create(prefix, fields, description, signal) {
      await mkdir(path, { recursive: true }).catch((error: unknown) => {
        throw unwritable(path, error);
      });
      return locked(`create an issue ${prefix}`, signal, async () => {
        const text = renderIssueText(fields, description);
        assertSize(text, 'The new issue');
        const { ids } = await reader.list();
        const counter = join(path, `.last-number-${prefix}`);
        let number = Math.max(await readCounter(counter), highestNumber(prefix, ids)) + 1;
        while (!(await createFile(pathOf(`${prefix}-${number}`), text))) number += 1;
        await writeFile(counter, `${number}\n`);
        return `${prefix}-${number}`;
      });
    },
  };
}

async function applyEdit(id: string, path: string, edit: Edit): Promise<void> {
  restoreAside(path);
  let broken = 0;
  const deadline = performance.now() + CONFLICT_PATIENCE_MS;
  while (performance.now() < deadline) {
    const file = readIssueFile(path);
    const parsed = file.kind === 'text' ? parseIssueText(file.text) : null;
    if (file.kind !== 'text' || parsed?.ok !== true) {
      if (broken++ < HALF_WRITTEN_RETRIES) {
        await delay(HALF_WRITTEN_WAIT_MS);
        continue;
      }
      if (file.kind === 'gone') throw notFound(id, path);
      throw invalidFile(
        path,
        file.kind === 'unusable' ? file.problem : parsed?.ok === false ? parsed.problem : '',
      );
    }
    const next = edit(file.text, parsed.value);
    if (next === file.text) return;
    assertSize(next, `${id} with this change`);
    if (await replaceFile(path, file.text, next, file.mode)) return;
  }
  throw new AppError('issue_conflict', `${id} keeps changing while it is being edited.`, {
    hint: 'Close whatever rewrites the file all the time, then try again.',
  });
}

export function notFound(id: string, folder: string): AppError {
  return new AppError('issue_not_found', `There is no issue ${JSON.stringify(id)} in ${folder}.`, {
    hint: 'Run "aiops issue list --all" to see what there is.',
  });
}

export function invalidFile(path: string, problem: string): AppError {
  return new AppError('invalid_issue_file', `${path} is not a valid issue: ${problem}.`, {
    hint: 'Open the file and correct it; it must start with "---", "title: …", "state: …" and "---" lines.',
  });
}

function unwritable(folder: string, cause: unknown): AppError {
  return new AppError(
    'tracker_request',
    `The issue folder ${folder} cannot be written: ${messageOf(cause)}.`,
    {
      hint: 'Check its permissions, the space on its disk, and that the disk has hard links.',
      cause,
    },
  );
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function assertSize(text: string, what: string): void {
  if (Buffer.byteLength(text) <= MAX_FILE_BYTES) return;
  throw new AppError('invalid_issue_file', `${what} would be larger than ${MAX_FILE_BYTES / 1024} KiB.`, {
    hint: 'Shorten the text, or move old comments to another file.',
  });
}

/** Numbers are not used twice, even after the newest issue was deleted: its workspace and branch may still exist. */
async function readCounter(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (hasErrno(error, 'ENOENT')) return '0';
    throw error;
  });
  const number = Number(text.trim());
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function highestNumber(prefix: string, ids: readonly string[]): number {
  const start = `${prefix.toLowerCase()}-`;
  let highest = 0;
  for (const id of ids) {
    const rest = id.toLowerCase().startsWith(start) ? id.slice(start.length) : '';
    if (/^\d{1,15}$/.test(rest)) highest = Math.max(highest, Number(rest));
  }
  return highest;
}
