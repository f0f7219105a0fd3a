import type { Command } from 'commander';
import { AppError } from '../../errors/app-error.ts';
import type { FoundRun, JournalReader } from '../../store/journal.ts';
import { formatRun } from '../history/format-run.ts';
import { formatTimeline } from '../history/format-timeline.ts';
import {
  type HistoryIo,
  type OpenReadOnly,
  openNamedJournal,
  type PlaceFlags,
  withJournal,
  withPlace,
} from '../history/open-journal.ts';
import { readJournalTimeline } from '../history/read-timeline.ts';
import { foundRunToJson } from '../history/run-json.ts';
import { oneLine } from '../history/text.ts';

interface ShowFlags extends PlaceFlags {
  readonly json: boolean;
}

/** `aiops runs show`: everything that is known of one run. */
export function registerRunsCommand(
  program: Command,
  io: HistoryIo,
  finish: (exitCode: number) => void,
  openReadOnly: OpenReadOnly = openNamedJournal,
): void {
  const runs = program.command('runs').description('look into single runs');
  withPlace(runs.command('show'))
    .description('show what one run did and left behind: outcome, evidence, timeline')
    .argument('<run>', 'its id, or the beginning of it')
    .option('--json', 'print everything as JSON, with texts in full', false)
    .addHelpText(
      'after',
      '\nThe journal is found through the workflow file in this directory, or with --workflow or --root.' +
        '\nA run that is still going on can be shown too. Run `aiops history` for the ids.',
    )
    .action(async (run: string, _flags: object, command: Command) => {
      await showRun(run, command.optsWithGlobals<ShowFlags>(), io, openReadOnly);
      finish(0);
    });
}

async function showRun(
  name: string,
  flags: ShowFlags,
  io: HistoryIo,
  openReadOnly: OpenReadOnly,
): Promise<void> {
  await withJournal(openReadOnly(flags, io), io, async (journal) => {
    const run = findRun(journal, name);
    const { entries, unreadable } = await readJournalTimeline(journal, run.runId);
    if (flags.json) io.stdout(`${JSON.stringify(foundRunToJson(run, entries), null, 2)}\n`);
    else {
      const columns = io.outputColumns?.() ?? null;
      io.stdout(`${formatRun(run, columns)}\n${formatTimeline(entries, columns)}`);
    }
    if (unreadable > 0)
      io.stderr(`aiops: warning: ${unreadable} line(s) of the timeline could not be read.\n`);
  });
}

function findRun(journal: JournalReader, name: string): FoundRun {
  const found = journal.findRun(name);
  if (found.kind === 'found') return found.run;
  if (found.kind === 'none') {
    throw new AppError('run_not_found', `No run has the id ${JSON.stringify(oneLine(name, 80))}.`, {
      hint: 'Run `aiops history` to see the runs that ended.',
    });
  }
  throw new AppError('usage', `Several runs begin with ${name}: ${found.runIds.join(', ')}.`, {
    hint: 'Give more of the id.',
  });
}
