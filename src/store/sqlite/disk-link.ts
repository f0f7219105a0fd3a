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

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** More damaged files than this in one life mean a bad disk, which more copies would only fill. */
const MAX_MOVED_ASIDE = 3;
const MAX_LOSSES = 5;

/** The connection to the journal file for as long as it can be had, and the way back to it when it was lost. */
export class DiskLink<T> {
  readonly #options: DiskLinkOptions<T>;
  readonly #losses: string[] = [];
  #file: JournalFile | null = null;
  #tables: T | null = null;
  #trouble: string | null = null;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry = (): void => {};
  #failedAt = 0;
  #movedAside = 0;

  constructor(options: DiskLinkOptions<T>) {
    this.#options = options;
    this.#establish();
  }

  /** What keeps writes from the disk at present, as one clause. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** What happened to earlier files of this life, for people. */
  get losses(): readonly string[] {
    return this.#losses;
  }

  /** Runs `work` on the file; undefined when it could not be done, which never throws. */
  attempt<R>(work: (tables: T) => R): R | undefined {
    try {
      this.#followPath();
      return this.#tables === null ? undefined : work(this.#tables);
    } catch (error) {
      if (isDiskTrouble(error)) this.#handleFailure(error);
      else this.#logError('journal could not take an entry', { error: messageOf(error) });
      return undefined;
    }
  }

  /** Tries once more when there is trouble, then lets go of the file. */
  close(): void {
    if (this.#trouble !== null) this.#establish();
    this.#cancelRetry();
    this.#disconnect('close');
  }

  #connect(): void {
    const opened = openJournalFile(this.#options.path, this.#options.open);
    try {
      this.#tables = this.#options.attach(opened.database);
      this.#file = opened;
    } catch (error) {
      opened.abandon();
      throw error;
    }
  }

  #disconnect(how: 'close' | 'abandon'): void {
    const { path, logger } = this.#options;
    const closing = this.#file;
    this.#file = null;
    this.#tables = null;
    try {
      closing?.[how]();
    } catch (error) {
      logger.debug('journal did not close cleanly', { path, error: messageOf(error) });
    }
  }

  #establish(): void {
    const { path, logger } = this.#options;
    try {
      this.#connect();
      if (this.#trouble !== null) logger.info('journal is written to disk again', { path });
      this.#trouble = null;
    } catch (error) {
      this.#handleFailure(error);
    }
  }

  /** A damaged file is moved aside and a new one begun; for anything else the disk is left alone for a while. */
  #handleFailure(error: unknown): void {
    this.#disconnect('abandon');
    const failure = asFileError(error);
    if (failure.kind === 'damaged' && this.#replaceDamaged(failure.message)) this.#establish();
    else this.#giveUp(failure);
  }

  #replaceDamaged(why: string): boolean {
    if (this.#movedAside >= MAX_MOVED_ASIDE) return false;
    try {
      const movedTo = moveAside(this.#options.path, this.#options.clock.now());
      this.#movedAside += 1;
      const saved = this.#options.salvage(movedTo);
      this.#addLoss(`${why}. It was moved to ${movedTo} and a new one begun; ${saved}.`);
      const fields = { moved_to: movedTo, error: why, saved };
      this.#logError('journal was damaged and has been moved aside', fields);
      return true;
    } catch (error) {
      this.#logError('damaged journal could not be moved aside', { error: messageOf(error) });
      return false;
    }
  }

  #giveUp({ message }: JournalFileError): void {
    const { clock } = this.#options;
    if (this.#trouble !== message) {
      this.#logError('journal cannot be used; the worker remembers in memory only', { error: message });
    }
    this.#trouble = message;
    // A disk that comes and goes is not asked more often than one that stays away.
    if (clock.elapsed() - this.#failedAt > 2 * MAX_RETRY_MS) this.#retryMs = FIRST_RETRY_MS;
    this.#failedAt = clock.elapsed();
    this.#cancelRetry();
    this.#cancelRetry = clock.setTimer(this.#retryMs, () => this.#establish());
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  #addLoss(what: string): void {
    this.#losses.push(what);
    if (this.#losses.length > MAX_LOSSES) this.#losses.shift();
  }

  /** A file that was deleted or exchanged under us would take every further write with it. */
  #followPath(): void {
    if (this.#file === null || !this.#file.replaced()) return;
    this.#addLoss(
      'the file was removed while the worker ran. What this life remembers was written to a new one.',
    );
    this.#logError('journal was removed while in use; beginning a new one');
    this.#disconnect('abandon');
    this.#establish();
  }

  #logError(message: string, fields: Readonly<Record<string, string>> = {}): void {
    const { path, logger } = this.#options;
    logger.error(message, { path, ...fields });
  }
}
