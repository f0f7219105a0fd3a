import type { Clock } from '../../domain/clock.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import {
  asFileError,
  type JournalFile,
  type JournalFileError,
  moveAside,
  openJournalFile,
} from './journal-file.ts';
import type { OpenDatabase, SqlDatabase } from './open-database.ts';
import { isDiskTrouble } from './sqlite-error.ts';

export interface DiskLinkOptions<T> {
  readonly path: string;
  readonly open: OpenDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Prepares a newly opened file for use, and brings it up to date with what is only in memory. */
  attach(database: SqlDatabase): T;
  /** Reads what it can from a damaged file that was moved aside, and says what that was. */
  salvage(movedTo: string): string;
}

/** The connection to the journal file for as long as it can be had, and the way back to it when it was lost. */
export interface DiskLink<T> {
  /** Runs `work` on the file; undefined when it could not be done, which never throws. */
  attempt<R>(work: (tables: T) => R): R | undefined;
  /** What keeps writes from the disk at present, as one clause. */
  readonly trouble: string | null;
  /** What happened to earlier files of this life, for people. */
  readonly losses: readonly string[];
  /** Tries once more when there is trouble, then lets go of the file. */
  close(): void;
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** More damaged files than this in one life mean a bad disk, which more copies would only fill. */
const MAX_MOVED_ASIDE = 3;
const MAX_LOSSES = 5;

export function createDiskLink<T>(options: DiskLinkOptions<T>): DiskLink<T> {
  const { path, clock, logger } = options;
  const losses: string[] = [];
  let file: JournalFile | null = null;
  let tables: T | null = null;
  let trouble: string | null = null;
  let retryMs = FIRST_RETRY_MS;
  let cancelRetry = (): void => {};
  let failedAt = 0;
  let movedAside = 0;

  function connect(): void {
    const opened = openJournalFile(path, options.open);
    try {
      tables = options.attach(opened.database);
      file = opened;
    } catch (error) {
      opened.abandon();
      throw error;
    }
  }

  function disconnect(how: 'close' | 'abandon'): void {
    const closing = file;
    file = null;
    tables = null;
    try {
      closing?.[how]();
    } catch (error) {
      logger.debug('journal did not close cleanly', { path, error: messageOf(error) });
    }
  }

  function establish(): void {
    try {
      connect();
      if (trouble !== null) logger.info('journal is written to disk again', { path });
      trouble = null;
    } catch (error) {
      handleFailure(error);
    }
  }

  /** A damaged file is moved aside and a new one begun; for anything else the disk is left alone for a while. */
  function handleFailure(error: unknown): void {
    disconnect('abandon');
    const failure = asFileError(error);
    if (failure.kind === 'damaged' && replaceDamaged(failure.message)) establish();
    else giveUp(failure);
  }

  function replaceDamaged(why: string): boolean {
    if (movedAside >= MAX_MOVED_ASIDE) return false;
    try {
      const movedTo = moveAside(path, clock.now());
      movedAside += 1;
      const saved = options.salvage(movedTo);
      tellLoss(`${why}. It was moved to ${movedTo} and a new one begun; ${saved}.`);
      logger.error('journal was damaged and has been moved aside', {
        path,
        moved_to: movedTo,
        error: why,
        saved,
      });
      return true;
    } catch (error) {
      logger.error('damaged journal could not be moved aside', { path, error: messageOf(error) });
      return false;
    }
  }

  function giveUp(failure: JournalFileError): void {
    if (trouble !== failure.message) {
      logger.error('journal cannot be used; the worker remembers in memory only', {
        path,
        error: failure.message,
      });
    }
    trouble = failure.message;
    // A disk that comes and goes is not asked more often than one that stays away.
    if (clock.elapsed() - failedAt > 2 * MAX_RETRY_MS) retryMs = FIRST_RETRY_MS;
    failedAt = clock.elapsed();
    cancelRetry();
    cancelRetry = clock.setTimer(retryMs, establish);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }

  function tellLoss(what: string): void {
    losses.push(what);
    if (losses.length > MAX_LOSSES) losses.shift();
  }

  /** A file that was deleted or exchanged under us would take every further write with it. */
  function followPath(): void {
    if (file === null || !file.replaced()) return;
    tellLoss('the file was removed while the worker ran. What this life remembers was written to a new one.');
    logger.error('journal was removed while in use; beginning a new one', { path });
    disconnect('abandon');
    establish();
  }

  establish();
  return {
    attempt(work) {
      try {
        followPath();
        return tables === null ? undefined : work(tables);
      } catch (error) {
        if (isDiskTrouble(error)) handleFailure(error);
        else logger.error('journal could not take an entry', { path, error: messageOf(error) });
        return undefined;
      }
    },
    get trouble() {
      return trouble;
    },
    losses,
    close() {
      if (trouble !== null) establish();
      cancelRetry();
      disconnect('close');
    },
  };
}
