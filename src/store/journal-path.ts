import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the journal of a workspace root is. */
export function journalPathOf(workspaceRoot: string): string {
  return join(workspaceRoot, '.aiops', 'journal.sqlite');
}

/** Where a tracker scope keeps its journal when another worker had that of the root: only one process has a journal open. */
export function scopeJournalPathOf(workspaceRoot: string, scope: string): string {
  return join(workspaceRoot, '.aiops', `journal-${scopeKey(scope)}.sqlite`);
}

/** The journals there are in a root, the common one first. */
export function listJournals(workspaceRoot: string): readonly string[] {
  const folder = join(workspaceRoot, '.aiops');
  const names = readdirSync(folder).filter((name) => /^journal(-[0-9a-f]{16})?\.sqlite$/.test(name));
  return names.sort((a, b) => a.length - b.length).map((name) => join(folder, name));
}

/** A tracker scope as a part of file names. */
export function scopeKey(scope: string): string {
  return createHash('sha256').update(scope).digest('hex').slice(0, 16);
}

/** Where the timelines of a journal's runs are. */
export function runsFolder(journalPath: string): string {
  return join(dirname(journalPath), 'runs');
}
