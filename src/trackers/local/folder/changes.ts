import { watch } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../../domain/clock.ts';
import { messageOf } from '../../../errors/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { ChangeSource } from '../../tracker.ts';
import { isIdentifier } from '../schema.ts';

export interface ChangeSourceOptions {
  readonly path: string;
  readonly logger: Logger;
  readonly clock: Clock;
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
      const watching = startWatching(options, onChange);
      await watching.check(true);
      return watching.stop;
    },
  };
}

interface Watching {
  /** Looks at the folder now and from time to time; `first` sets what later looks compare with. */
  check(first: boolean): Promise<void>;
  stop(): Promise<void>;
}

function startWatching(options: ChangeSourceOptions, onChange: () => void): Watching {
  const { path, clock, logger, openWatcher = openFolderWatcher } = options;
  const folderName = basename(path);
  let handle: { close(): void } | null = null;
  let watchedFolder: string | null | undefined;
  let fingerprint: string | null = null;
  let eventsFail = false;
  let stopped = false;
  let cancelDebounce: (() => void) | null = null;
  let cancelCheck = (): void => {};

  const notify = (): void => {
    if (stopped) return;
    cancelDebounce ??= clock.setTimer(DEBOUNCE_MS, () => {
      cancelDebounce = null;
      onChange();
    });
  };
  const failOver = (error: unknown): void => {
    closeHandle();
    if (eventsFail) return;
    eventsFail = true;
    const fields = { error: messageOf(error) };
    logger.warn('File events do not work here; the issue folder is compared instead', fields);
  };
  const closeHandle = (): void => {
    handle?.close();
    handle = null;
  };
  const onName = (name: string | null): void => {
    if (name === null || isIssueFile(name)) notify();
    // A watched folder reports its own end under its own name.
    else if (name === folderName) watchedFolder = undefined;
  };

  async function look(first: boolean): Promise<void> {
    const folder = await identify(path);
    if (folder !== watchedFolder) {
      closeHandle();
      fingerprint = null;
      watchedFolder = folder;
      if (folder !== null && !eventsFail) {
        try {
          handle = openWatcher(path, onName, failOver);
        } catch (error) {
          failOver(error);
        }
      }
      if (!first) notify();
    }
    if (!eventsFail || folder === null) return;
    const now = await fingerprintOf(path);
    // Events that ended may have ended before the last change.
    if (!first && now !== fingerprint) notify();
    fingerprint = now;
  }

  async function check(first: boolean): Promise<void> {
    const started = clock.now();
    await look(first).catch((error: unknown) =>
      logger.debug('Looking at the issue folder failed', { error: messageOf(error) }),
    );
    if (stopped) return closeHandle();
    const pause = Math.max(CHECK_MS, 10 * (clock.now() - started));
    cancelCheck = clock.setTimer(pause, () => void check(false));
  }

  return {
    check,
    async stop() {
      stopped = true;
      cancelCheck();
      cancelDebounce?.();
      closeHandle();
    },
  };
}

function isIssueFile(name: string): boolean {
  return name.endsWith('.md') && isIdentifier(name.slice(0, -'.md'.length));
}

const openFolderWatcher: OpenWatcher = (path, onName, onError) => {
  const watcher = watch(path, (_event, name) => onName(name));
  watcher.on('error', onError);
  return watcher;
};

/** Null when there is no folder. */
async function identify(path: string): Promise<string | null> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : null;
}

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
