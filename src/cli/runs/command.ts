import { type Command, InvalidArgumentError, Option } from 'commander';
import { outcomeSchema } from '../../contract/wire.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { FoundRun, JournalReader } from '../../store/journal.ts';
import { examplesText } from '../examples.ts';
import { formatRun } from '../history/format-run.ts';
import { formatTimeline } from '../history/format-timeline.ts';
import {
  type HistoryIo,
  type OpenReadOnly,
  openNamedJournal,
  type PlaceFlags,
  parseLimit,
  withJournal,
  withPlace,
} from '../history/open-journal.ts';
import { readJournalTimeline } from '../history/read-timeline.ts';
import { foundRunToJson } from '../history/run-json.ts';
import { oneLine } from '../history/text.ts';
import { jsonText } from '../json-text.ts';
import { parseAge } from '../parse-limits.ts';
import { lookOf } from '../terminal/look.ts';
import { type UtcFlag, withUtc } from '../utc-option.ts';
import { formatRuns, runsToJson } from './format-runs.ts';
import { LIVE, listRuns, type RunFilters } from './list-runs.ts';

interface ShowFlags extends PlaceFlags, UtcFlag {
  readonly json: boolean;
}

interface ListFlags extends ShowFlags, RunFilters {}

const PLACE_HELP =
  '\nThe journal is found through the workflow file in this directory, or with --workflow or --root.';

const LIST_HELP = examplesText(
  'aiops runs',
  'aiops runs --outcome failed --since 2d',
  'aiops runs --issue TASK-1 --json',
);

/** `aiops runs`: the runs on record, and everything that is known of one of them. */
export function registerRunsCommand(
  program: Command,
  io: HistoryIo,
  finish: (exitCode: number) => void,
  openReadOnly: OpenReadOnly = openNamedJournal,
): void {
  const runs = program
    .command('runs')
    .description('list the runs on record, or look into one of them')
    .addHelpText('after', LIST_HELP);
  addList(runs, io, finish, openReadOnly);
  withUtc(withPlace(runs.command('show')))
    .description('show what one run did and left behind: outcome, evidence, timeline')
    .argument('<run>', 'its id, or the beginning of it')
    .option('--json', 'print everything as JSON, with texts in full', false)
    .addHelpText(
      'after',
      `${examplesText('aiops runs show r1a2', 'aiops runs show r1a2 --json')}${PLACE_HELP}\nA run that is still going on can be shown too. Run \`aiops runs\` for the ids.`,
    )
    .action(async (run: string, _flags: object, command: Command) => {
      await showRun(run, command.optsWithGlobals<ShowFlags>(), io, openReadOnly);
      finish(0);
    });
}

function addList(
  runs: Command,
  io: HistoryIo,
  finish: (exitCode: number) => void,
  openReadOnly: OpenReadOnly,
): void {
  withUtc(withPlace(runs.command('list', { isDefault: true })))
    .description('list runs, live ones first, then the newest')
    .option('--issue <issue>', 'only runs of this issue, by its identifier or id')
    .addOption(
      new Option('--outcome <name...>', 'only runs that are live, or that ended so').choices([
        LIVE,
        ...outcomeSchema.options,
      ]),
    )
    .option('--agent <name>', 'only runs with this kind of agent, profile or model')
    .option('--since <when>', 'only runs since then: 2h, 3d, or a date such as 2026-11-14', parseSince)
    .option('-n, --limit <number>', 'runs to show', parseLimit, 20)
    .option('--json', 'print JSON', false)
    .addHelpText('after', `${LIST_HELP}${PLACE_HELP}`)
    .action(async (_flags: object, command: Command) => {
      const flags = command.optsWithGlobals<ListFlags>();
      await withJournal(openReadOnly(flags, io), io, async (journal) => {
        const found = listRuns(journal, flags);
        if (flags.json) io.stdout(runsToJson(found));
        else io.stdout(formatRuns(found, systemClock.now(), lookOf(io, flags)) || 'No run fits.\n');
      });
      finish(0);
    });
}

/** An age counts back from now; a date begins at its first moment here. */
function parseSince(text: string): number {
  if (/^\d+[mhdw]$/.test(text.trim())) return systemClock.now() - parseAge(text);
  const instant = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(instant)) return instant;
  throw new InvalidArgumentError('give an age such as 2h or 3d, or a date such as 2026-11-14.');
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
    if (flags.json) io.stdout(jsonText(foundRunToJson(run, entries)));
    else {
      const look = lookOf(io, flags);
      io.stdout(`${formatRun(run, look)}\n${formatTimeline(entries, look)}`);
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
      hint: 'Run `aiops runs` or `aiops history` to see those on record.',
    });
  }
  throw new AppError('usage', `Several runs begin with ${name}: ${found.runIds.join(', ')}.`, {
    hint: 'Give more of the id.',
  });
}
