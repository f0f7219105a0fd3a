import type { Command } from 'commander';
import { formatHistory } from './format-run.ts';
import {
  type HistoryIo,
  type OpenReadOnly,
  openNamedJournal,
  type PlaceFlags,
  parseLimit,
  withJournal,
  withPlace,
} from './open-journal.ts';
import { runToJson } from './run-json.ts';

interface HistoryFlags extends PlaceFlags {
  readonly json: boolean;
  readonly limit: number;
  readonly issue?: string;
}

/** `aiops history`: how past runs ended. */
export function registerHistoryCommand(
  program: Command,
  io: HistoryIo,
  finish: (exitCode: number) => void,
  openReadOnly: OpenReadOnly = openNamedJournal,
): void {
  withPlace(program.command('history'))
    .description('show how past runs ended, newest first')
    .option('--issue <issue>', 'only runs of this issue, by its identifier or id')
    .option('--limit <number>', 'runs to show', parseLimit, 20)
    .option('--json', 'print the runs as JSON', false)
    .addHelpText(
      'after',
      '\nThe journal is found through the workflow file in this directory, or with --workflow or --root.' +
        '\nIt may be read while a worker is running. Run `aiops runs show <run>` for the timeline of one run.',
    )
    .action(async (_flags: object, command: Command) => {
      await showHistory(command.optsWithGlobals<HistoryFlags>(), io, openReadOnly);
      finish(0);
    });
}

async function showHistory(flags: HistoryFlags, io: HistoryIo, openReadOnly: OpenReadOnly): Promise<void> {
  const { issue, limit, json } = flags;
  await withJournal(openReadOnly(flags, io), io, async (journal) => {
    const runs = issue === undefined ? journal.recentRuns(limit) : journal.runsOfIssue(issue, limit);
    if (json) io.stdout(`${JSON.stringify({ runs: runs.map(runToJson) }, null, 2)}\n`);
    else if (runs.length > 0) io.stdout(formatHistory(runs, io.outputColumns?.() ?? null));
    else io.stdout(issue === undefined ? 'No run has ended yet.\n' : `No run of ${issue} has ended yet.\n`);
  });
}
