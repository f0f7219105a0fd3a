import type { Logger } from '../../observability/logger.ts';
import type { OnUnreadable, TableName } from './read-tables.ts';

export interface ProblemParts {
  readonly path: string;
  readonly folder: string;
  readonly diskTrouble?: string | null;
  readonly losses?: readonly string[];
  readonly timelineTrouble?: string | null;
  readonly unreadable: ReadonlySet<string>;
}

/** Everything an operator should know about the journal, in sentences; null when there is nothing. */
export function describeProblem(parts: ProblemParts): string | null {
  const { path, folder, diskTrouble = null, losses = [], timelineTrouble = null, unreadable } = parts;
  const sentences: string[] = [];
  if (diskTrouble !== null) {
    sentences.push(
      `The journal ${path} cannot be used: ${diskTrouble}. The worker goes on, with budgets, waits and outcomes in ` +
        'memory; they are lost if it stops before this is mended. It keeps trying.',
    );
  }
  if (timelineTrouble !== null) {
    sentences.push(
      `Run timelines cannot be written to ${folder}: ${timelineTrouble}. Runs are not affected; parts of their timelines may be missing.`,
    );
  }
  for (const loss of losses) sentences.push(`The journal ${path}: ${loss}`);
  if (unreadable.size > 0) {
    const examples = [...unreadable].slice(0, 3).join(', ');
    sentences.push(
      `${unreadable.size} row(s) of the journal ${path} could not be read and are left out (${examples}): ` +
        'what they held, such as the budget used by an issue, counts as not remembered.',
    );
  }
  return sentences.length === 0 ? null : sentences.join(' ');
}

const MAX_COUNTED = 10_000;

/** Remembers each unreadable row once. */
export function createUnreadableRows(logger: Logger): {
  readonly rows: ReadonlySet<string>;
  readonly report: OnUnreadable;
} {
  const rows = new Set<string>();
  return {
    rows,
    report(table: TableName, key: string, why: string) {
      const name = `${table} ${key}`;
      if (rows.has(name) || rows.size >= MAX_COUNTED) return;
      rows.add(name);
      logger.warn('journal row is unreadable and left out', { table, key, error: why });
    },
  };
}
