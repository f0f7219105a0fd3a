import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId } from '../../domain/run-event.ts';
import { ifMissing } from '../../errors/app-error.ts';
import { fileNameOf, runOfFile } from '../transcripts/transcript-files.ts';
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

export function pruneLimits({ keepDays, maxRuns = MAX_RUNS }: Retention, now: number): PruneLimits {
  const before = keepDays > 0 ? now - keepDays * DAY_MS : 0;
  return { before, maxRuns: Math.max(1, Math.floor(maxRuns)), maxEvents: MAX_EVENTS };
}

export interface TranscriptPruning {
  readonly folder: string;
  /** Runs that were just removed. */
  readonly gone: readonly RunId[];
  /** Runs that are kept. */
  readonly kept: readonly RunId[];
  readonly before: number;
  readonly now: number;
}

/**
 * Removes the files of runs that went, and of runs without a recorded end that nobody wrote to since `before`.
 * Returns how many files went. A file touched within a day may belong to a live run and stays.
 */
export async function pruneTranscripts({
  folder,
  gone,
  kept,
  before,
  now,
}: TranscriptPruning): Promise<number> {
  const goneNames = new Set(gone.map(fileNameOf));
  const keptNames = new Set(kept.map(fileNameOf));
  let removed = 0;
  for (const file of await readdir(folder).catch(ifMissing([]))) {
    const name = runOfFile(file);
    if (name === null || keptNames.has(name)) continue;
    const path = join(folder, file);
    if (!goneNames.has(name) && !(await isUntouchedSince(path, Math.min(before, now - DAY_MS)))) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

async function isUntouchedSince(path: string, instant: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < instant;
}
