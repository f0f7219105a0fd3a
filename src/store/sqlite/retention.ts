import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import type { RunId } from '../../domain/run-event.ts';
import { ifMissing, messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { fileNameOf, runOfFile } from '../transcripts/transcript-files.ts';
import type { DiskLink } from './disk-link.ts';
import type { Tables } from './journal-backup.ts';
import type { PruneLimits } from './write-tables.ts';

/** What is kept of the past. Records of issues are forgotten by the scheduler, which knows who is gone. */
export interface Retention {
  /** Days that runs, timelines, events and operator actions are kept; 0 means for ever. */
  readonly keepDays: number;
  /** Ended runs kept at most; 10,000 unless told. */
  readonly maxRuns?: number;
}

export const DEFAULT_RETENTION: Retention = { keepDays: 90 };

const DAY_MS = 86_400_000;
const MAX_RUNS = 10_000;
const MAX_EVENTS = 100_000;

export interface PruningOptions {
  readonly link: DiskLink<Tables>;
  /** Of the timelines. */
  readonly folder: string;
  readonly retention: () => Retention;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Removes what is kept no longer, now and then daily; the returned function ends it. */
export function pruneDaily(options: PruningOptions): () => void {
  let cancel = (): void => {};
  const pruneAndWait = (): void => {
    cancel = options.clock.setTimer(DAY_MS, pruneAndWait);
    prune(options);
  };
  pruneAndWait();
  return () => cancel();
}

function prune({ link, folder, retention, clock, logger }: PruningOptions): void {
  const now = clock.now();
  const limits = pruneLimits(retention(), now);
  const runs = link.attempt(({ writer }) => ({ gone: writer.prune(limits), kept: writer.endedRunIds() }));
  if (runs === undefined) return;
  pruneTranscripts(folder, runs, Math.min(limits.before, now - DAY_MS)).then(
    (files) => {
      if (runs.gone.length + files > 0) logger.info('old runs removed', { runs: runs.gone.length, files });
    },
    (error: unknown) => logger.warn('old run timelines could not be removed', { error: messageOf(error) }),
  );
}

function pruneLimits({ keepDays, maxRuns = MAX_RUNS }: Retention, now: number): PruneLimits {
  const before = keepDays > 0 ? now - keepDays * DAY_MS : 0;
  return { before, maxRuns: Math.max(1, Math.floor(maxRuns)), maxEvents: MAX_EVENTS };
}

/**
 * Removes the files of runs that went, and of runs without a recorded end that nobody wrote to since `untouchedSince`:
 * at least a day, since a file touched within one may belong to a live run. Returns how many files went.
 */
async function pruneTranscripts(
  folder: string,
  runs: { readonly gone: readonly RunId[]; readonly kept: readonly RunId[] },
  untouchedSince: number,
): Promise<number> {
  const gone = new Set(runs.gone.map(fileNameOf));
  const kept = new Set(runs.kept.map(fileNameOf));
  let removed = 0;
  for (const file of await readdir(folder).catch(ifMissing([]))) {
    const name = runOfFile(file);
    if (name === null || kept.has(name)) continue;
    const path = join(folder, file);
    if (!gone.has(name) && !(await isUntouchedSince(path, untouchedSince))) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

async function isUntouchedSince(path: string, instant: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < instant;
}
