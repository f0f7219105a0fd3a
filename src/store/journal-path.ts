import { dirname, join } from 'node:path';

/** Where the journal of a workspace root is. */
export function journalPathOf(workspaceRoot: string): string {
  return join(workspaceRoot, '.aiops', 'journal.sqlite');
}

/** Where the timelines of a journal's runs are. */
export function runsFolder(journalPath: string): string {
  return join(dirname(journalPath), 'runs');
}
