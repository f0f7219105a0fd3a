import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What the agent remembers of an issue from run to run, in a file that lives as long as the workspace. */
export interface Memory {
  /** Runs started, this one included. */
  runs: number;
  /** The commit (or step) the hand-off comment was written for, so that a rerun does not repeat it. */
  commentedFor: string | null;
  /** Milliseconds since the epoch. */
  quotaResetAt: number | null;
}

export function loadMemory(path: string, issueId: string): Memory {
  const stored = readAll(path)[issueId];
  return {
    runs: typeof stored?.runs === 'number' ? stored.runs : 0,
    commentedFor: typeof stored?.commentedFor === 'string' ? stored.commentedFor : null,
    quotaResetAt: typeof stored?.quotaResetAt === 'number' ? stored.quotaResetAt : null,
  };
}

/** Replaces the file in one step, so that a crash leaves the old or the new one. */
export function saveMemory(path: string, issueId: string, memory: Memory): void {
  const all = { ...readAll(path), [issueId]: memory };
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(all)}\n`);
  renameSync(draft, path);
}

/** Unreadable or damaged: nothing is remembered. */
function readAll(path: string): Record<string, Partial<Memory> | undefined> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
