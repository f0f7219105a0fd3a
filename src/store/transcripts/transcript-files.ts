import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunId } from '../../domain/run-event.ts';

/** The files of one run, in the order of their events. A run of ordinary length has only the first. */
export interface TranscriptFiles {
  readonly head: string;
  /** The last segment but one of a very long run. */
  readonly tailBefore: string;
  readonly tail: string;
}

/** A run keeps its first events up to this size, */
export const HEAD_BYTES = 8 * 1024 * 1024;
/** and of its last events between one and two segments of this one: at most 16 MiB in all. */
export const SEGMENT_BYTES = 4 * 1024 * 1024;

const SUFFIXES = { head: '.jsonl', tailBefore: '.tail-before.jsonl', tail: '.tail.jsonl' } as const;

export function transcriptFiles(folder: string, runId: RunId): TranscriptFiles {
  const base = join(folder, fileNameOf(runId));
  return {
    head: base + SUFFIXES.head,
    tailBefore: base + SUFFIXES.tailBefore,
    tail: base + SUFFIXES.tail,
  };
}

/** The beginning of a run's file names: its id where that is a plain word, else a digest of it. */
export function fileNameOf(runId: RunId): string {
  if (/^[\w-]{1,100}$/.test(runId)) return runId;
  return `run-${createHash('sha256').update(runId).digest('hex').slice(0, 32)}`;
}

/** The inverse for a folder listing: null for a file that is no transcript. */
export function runOfFile(fileName: string): string | null {
  for (const suffix of [SUFFIXES.tailBefore, SUFFIXES.tail, SUFFIXES.head]) {
    if (fileName.endsWith(suffix)) return fileName.slice(0, -suffix.length);
  }
  return null;
}
