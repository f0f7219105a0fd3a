import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { type OpenedJournal, openRootReader } from '../../store/sqlite/journal-reader.ts';
import type { CliIo } from '../io.ts';
import { loadWorkspaceRoot } from '../workflow-file.ts';

export interface PlaceFlags {
  readonly root?: string;
  readonly workflow?: string;
}

/** The little of the outside world that reading the journal needs. */
export type HistoryIo = Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd' | 'outputColumns'>;

export type OpenReadOnly = (place: PlaceFlags, io: HistoryIo) => Promise<OpenedJournal>;

export function withPlace(command: Command): Command {
  return command.option('--root <directory>', 'the workspace root whose journal to read');
}

/** The journal of the workspace root that is named, or of the one the workflow names. */
export const openNamedJournal: OpenReadOnly = async ({ root, workflow }, { environment, cwd }) => {
  if (root !== undefined) return openRootReader(resolve(cwd, root));
  const path = await chooseWorkflowPath(workflow, environment, cwd);
  return openRootReader(await loadWorkspaceRoot({ file: path, environment }));
};

/** Opens, works and closes; what the journal has to say about itself goes to standard error. */
export async function withJournal(
  journal: Promise<OpenedJournal>,
  io: HistoryIo,
  work: (journal: OpenedJournal) => Promise<void>,
): Promise<void> {
  const opened = await journal;
  try {
    await work(opened);
    if (opened.status.problem !== null) io.stderr(`aiops: warning: ${opened.status.problem}\n`);
  } finally {
    await opened.close();
  }
}

export function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 100_000) {
    throw new InvalidArgumentError('give a whole number from 1 to 100000.');
  }
  return limit;
}
