import { watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../../domain/clock.ts';
import { messageOf } from '../../../errors/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { ChangeSource } from '../../tracker.ts';
import { isIdentifier } from '../schema.ts';
import type { FolderChanges } from './folder-changes.ts';
import { identifyFolder } from './identify-folder.ts';

export interface ChangeSourceOptions {
  readonly path: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Told of every name, for whoever reads the folder. */
  readonly changes?: FolderChanges;
  readonly openWatcher?: OpenWatcher;
}

/** Reports names that changed in a folder (null when unknown). Throws or calls `onError` when it cannot go on. */
export type OpenWatcher = (
  path: string,
  onName: (name: string | null) => void,
  onError: (error: unknown) => void,
) => { close(): void };

/** Several saves in a row wake the worker once; the first is never delayed by more than this. */
const DEBOUNCE_MS = 50;
/** How often to look whether the folder is still the one being watched, and at its files when events fail. */
const CHECK_MS = 500;

/**
 * Watches the folder itself with one handle, whatever the number of files: events carry the file's name.
 * A folder that is deleted, moved or made anew is found again; without file events its files are compared instead.
 */
export function createChangeSource(options: ChangeSourceOptions): ChangeSource {
  return {
    async watch(onChange) {
      const watching = new FolderWatching(options, onChange);
      await watching.check(true);
      return () => watching.stop();
    },
  };
}

class FolderWatching {
  readonly #options: ChangeSourceOptions;
  readonly #onChange: () => void;
  #handle: { close(): void } | null = null;
  /** Undefined when it has to be looked at again, null when there is none. */
  #watchedFolder: string | null | undefined;
  #fingerprint: string | null = null;
  #eventsFail = false;
  #stopped = false;
  #cancelDebounce: (() => void) | null = null;
  #cancelCheck = (): void => {};

  constructor(options: ChangeSourceOptions, onChange: () => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  /** Looks at the folder now and from time to time; `first` sets what later looks compare with. */
  async check(first: boolean): Promise<void> {
    const { clock, logger } = this.#options;
    const started = clock.now();
    await this.#look(first).catch((error: unknown) =>
      logger.debug('Looking at the issue folder failed', { error: messageOf(error) }),
    );
    if (this.#stopped) return this.#closeHandle();
    const pause = Math.max(CHECK_MS, 10 * (clock.now() - started));
    this.#cancelCheck = clock.setTimer(pause, () => void this.check(false));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelCheck();
    this.#cancelDebounce?.();
    this.#closeHandle();
  }

  async #look(first: boolean): Promise<void> {
    const folder = await identifyFolder(this.#options.path).catch(() => null);
    if (folder !== this.#watchedFolder) {
      this.#closeHandle();
      this.#fingerprint = null;
      this.#watchedFolder = folder;
      if (folder !== null && !this.#eventsFail) this.#openHandle();
      if (!first) this.#notify();
    }
    if (!this.#eventsFail || folder === null) return;
    const now = await fingerprintOf(this.#options.path);
    // Events that ended may have ended before the last change.
    if (!first && now !== this.#fingerprint) this.#notify();
    this.#fingerprint = now;
  }

  #openHandle(): void {
    const { path, openWatcher = openFolderWatcher } = this.#options;
    const failOver = (error: unknown): void => this.#failOver(error);
    try {
      this.#handle = openWatcher(path, (name) => this.#onName(name), failOver);
      this.#options.changes?.watched();
    } catch (error) {
      failOver(error);
    }
  }

  #onName(name: string | null): void {
    this.#options.changes?.note(name);
    if (name === null || isIssueFile(name)) this.#notify();
    // A watched folder reports its own end under its own name.
    else if (name === basename(this.#options.path)) this.#watchedFolder = undefined;
  }

  #failOver(error: unknown): void {
    this.#closeHandle();
    if (this.#eventsFail) return;
    this.#eventsFail = true;
    const fields = { error: messageOf(error) };
    this.#options.logger.warn('File events do not work here; the issue folder is compared instead', fields);
  }

  #closeHandle(): void {
    this.#options.changes?.unwatched();
    this.#handle?.close();
    this.#handle = null;
  }

  #notify(): void {
    if (this.#stopped) return;
    this.#cancelDebounce ??= this.#options.clock.setTimer(DEBOUNCE_MS, () => {
      this.#cancelDebounce = null;
      this.#onChange();
    });
  }
}

function isIssueFile(name: string): boolean {
  return name.endsWith('.md') && isIdentifier(name.slice(0, -'.md'.length));
}

const openFolderWatcher: OpenWatcher = (path, onName, onError) => {
  const watcher = watch(path, (_event, name) => onName(name));
  watcher.on('error', onError);
  return watcher;
};

async function fingerprintOf(path: string): Promise<string> {
  const names = (await readdir(path)).filter(isIssueFile).sort();
  const parts: string[] = [];
  for (const name of names) {
    const stats = await lstat(join(path, name), { bigint: true }).catch(() => null);
    parts.push(
      stats === null ? name : `${name}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
    );
  }
  return parts.join('\n');
}
