import { appendFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunId } from '../../domain/run-event.ts';
import { hasErrno, ifMissing } from '../../errors/app-error.ts';
import { makeFolder } from '../make-folder.ts';
import { readLines } from './read-transcript.ts';
import { HEAD_BYTES, SEGMENT_BYTES, transcriptFiles } from './transcript-files.ts';
import { seqOfLine } from './transcript-line.ts';

/** The end of one run's files: appends, and lets go of the middle when the run gets very long. */
export interface TranscriptWriter {
  /** The highest number in the files when they were opened; 0 for a new run. */
  readonly lastSeq: number;
  /** Appends whole lines and takes them off the queue as they are written. Rejects when the disk refuses. */
  drain(queue: string[]): Promise<void>;
  /** Lines that were written and then let go. */
  readonly dropped: number;
  readonly bytes: number;
}

interface Part {
  readonly path: string;
  lines: number;
  bytes: number;
}

const CHUNK_LINES = 500;

export async function openTranscriptWriter(folder: string, runId: RunId): Promise<TranscriptWriter> {
  const files = transcriptFiles(folder, runId);
  const head = await openPart(files.head);
  const tailBefore = await openPart(files.tailBefore);
  const tail = await openPart(files.tail);
  const lastSeq = Math.max(head.lastSeq, tailBefore.lastSeq, tail.lastSeq);
  let dropped = Math.max(0, lastSeq - head.lines - tailBefore.lines - tail.lines);
  // A file of an earlier life, or one the disk refused a write to, may end in the middle of a line.
  let torn = lastSeq > 0;

  async function append(chunk: readonly string[]): Promise<void> {
    const text = (torn ? '\n' : '') + chunk.join('');
    const bytes = Buffer.byteLength(text);
    const longRun = tail.bytes > 0 || tailBefore.bytes > 0 || head.bytes + bytes > HEAD_BYTES;
    if (longRun && tail.bytes > 0 && tail.bytes + bytes > SEGMENT_BYTES) await rotate();
    const part = longRun ? tail : head;
    torn = true;
    await appendOrCreate(part.path, text);
    torn = false;
    part.bytes += bytes;
    part.lines += chunk.length;
  }

  async function rotate(): Promise<void> {
    await rename(tail.path, tailBefore.path);
    dropped += tailBefore.lines;
    Object.assign(tailBefore, { lines: tail.lines, bytes: tail.bytes });
    Object.assign(tail, { lines: 0, bytes: 0 });
  }

  return {
    lastSeq,
    async drain(queue) {
      while (queue.length > 0) {
        const chunk = queue.slice(0, CHUNK_LINES);
        await append(chunk);
        queue.splice(0, chunk.length);
      }
    },
    get dropped() {
      return dropped;
    },
    get bytes() {
      return head.bytes + tailBefore.bytes + tail.bytes;
    },
  };
}

async function openPart(path: string): Promise<Part & { readonly lastSeq: number }> {
  const bytes = (await stat(path).catch(ifMissing(null)))?.size ?? 0;
  const lines = bytes === 0 ? [] : await readLines(path);
  const lastSeq = lines.reduce((highest, line) => Math.max(highest, seqOfLine(line) ?? 0), 0);
  return { path, bytes, lines: lines.length, lastSeq };
}

/** Agents' words may hold anything, so only the owner may read them. */
async function appendOrCreate(path: string, text: string): Promise<void> {
  try {
    await appendFile(path, text, { mode: 0o600 });
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error;
    makeFolder(dirname(path));
    await appendFile(path, text, { mode: 0o600 });
  }
}
