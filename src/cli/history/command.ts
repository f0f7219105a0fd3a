import type { Command } from 'commander';
import { examplesText } from '../examples.ts';
import { jsonText } from '../json-text.ts';
import { lookOf } from '../terminal/look.ts';
import { type UtcFlag, withUtc } from '../utc-option.ts';
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

interface HistoryFlags extends PlaceFlags, UtcFlag {
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
  withUtc(withPlace(program.command('history')))
    .description('show how past runs ended, newest first')
    .option('--issue <issue>', 'only runs of this issue, by its identifier or id')
    .option('--limit <number>', 'runs to show', parseLimit, 20)
    .option('--json', 'print the runs as JSON', false)
    .addHelpText(
      'after',
      `${examplesText('aiops history --limit 5', 'aiops history --issue TASK-1 --json')}` +
        '\nThe journal is found through the workflow file in this directory, or with --workflow or --root.' +
        '\nIt may be read while a worker is running. `aiops runs` can choose by outcome, agent and time, and\n`aiops runs show <run>` has the timeline of one run.',
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
    if (json) io.stdout(jsonText({ runs: runs.map(runToJson) }));
    else if (runs.length > 0) io.stdout(formatHistory(runs, lookOf(io, flags)));
    else io.stdout(issue === undefined ? 'No run has ended yet.\n' : `No run of ${issue} has ended yet.\n`);
  });
}
