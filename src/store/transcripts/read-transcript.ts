import { readFile } from 'node:fs/promises';
import type { RunId } from '../../domain/run-event.ts';
import { ifMissing } from '../../errors/app-error.ts';
import type { TimelineEntry, TimelinePage, TimelinePageRequest } from '../journal.ts';
import { transcriptFiles } from './transcript-files.ts';
import { parseLine, seqOfLine } from './transcript-line.ts';

const DEFAULT_LIMIT = 1000;

/** One page of a run's timeline, read from its files. A run without any has an empty one. */
export async function readTranscript(
  folder: string,
  runId: RunId,
  { after = 0, limit = DEFAULT_LIMIT }: TimelinePageRequest = {},
): Promise<TimelinePage> {
  const entries: TimelineEntry[] = [];
  let unreadable = 0;
  const { head, tailBefore, tail } = transcriptFiles(folder, runId);
  for (const path of [head, tailBefore, tail]) {
    for (const line of await readLines(path)) {
      const seq = seqOfLine(line);
      // A line without a number is part of the page that has the lines before it.
      if (seq === null ? entries.length === 0 && after > 0 : seq <= after) continue;
      if (entries.length >= limit) return { entries, next: entries.at(-1)?.seq ?? after, unreadable };
      const entry = parseLine(line);
      if (entry === null) unreadable += 1;
      else entries.push(entry);
    }
  }
  return { entries, next: null, unreadable };
}

/** The lines of a file that are not empty; none when there is no such file. */
export async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(ifMissing(''));
  return text.split('\n').filter((line) => line !== '');
}
