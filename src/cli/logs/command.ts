import type { Command } from 'commander';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import type { ApiClient } from '../../contract/client.ts';
import type { TimelineEntry } from '../../contract/runs.ts';
import { AppError } from '../../errors/app-error.ts';
import { timelineRow } from '../../orchestrator/snapshot/timeline.ts';
import { examplesText } from '../examples.ts';
import { openNamedJournal, parseLimit, withJournal } from '../history/open-journal.ts';
import { readJournalTimeline } from '../history/read-timeline.ts';
import { oneLine } from '../history/text.ts';
import { findRecord } from '../record/worker-record.ts';
import type { RegisterCommand } from '../register-command.ts';
import { type RemoteFlags, type RemoteIo, remoteFlags, withRemote, withWorker } from '../remote/connect.ts';
import { followRun } from '../remote/follow-run.ts';
import { readTimeline } from '../remote/read-timeline.ts';
import { type Look, lookOf } from '../terminal/look.ts';
import { wrapTo } from '../terminal/text-width.ts';
import { formatClock } from '../terminal/times.ts';
import { paint } from '../terminal/tones.ts';
import { type UtcFlag, withUtc } from '../utc-option.ts';

const MIN_COLUMNS = 30;
const NOTE =
  `${examplesText('aiops logs TASK-1', 'aiops logs TASK-1 --follow')}` +
  '\nWith --json there is one JSON object per line. Without a worker the journal is read.\n';

interface LogsFlags extends RemoteFlags, UtcFlag {
  readonly follow: boolean;
  readonly limit: number;
}

/** `aiops logs`: what the agent of an issue did, or does. */
export const registerLogsCommand: RegisterCommand<RemoteIo> = (program, io, finish) => {
  withUtc(withRemote(program.command('logs'), NOTE))
    .description('print what the latest run of an issue reported')
    .argument('<issue>', 'an identifier or id, or the id of a run')
    .option('-f, --follow', 'go on until the run ends', false)
    .option('-n, --limit <number>', 'print only the last events', parseLimit, 100)
    .action(async (name: string, _flags: object, command: Command) => {
      await showLogs(name, remoteFlags<LogsFlags>(command), io);
      finish(0);
    });
};

async function showLogs(name: string, flags: LogsFlags, io: RemoteIo): Promise<void> {
  const print = (entries: readonly TimelineEntry[]): void => {
    const look = lookOf(io, flags);
    for (const entry of entries)
      io.stdout(flags.json ? `${JSON.stringify(entry)}\n` : formatEntry(entry, look));
  };
  if (await isForTheJournal(flags, io)) {
    io.stderr('aiops: no worker runs for this workflow; this is what its journal holds.\n');
    print(await readFromJournal(name, flags, io));
    return;
  }
  await withWorker(flags, io, async (client, signal, connection) => {
    const run = await latestRun(client, name, signal);
    const { entries, live } = await readTimeline(client, run, 0, signal);
    print(entries.slice(-flags.limit));
    if (!flags.follow || !live) return;
    const after = entries.at(-1)?.seq ?? 0;
    const remark = (text: string): void => io.stderr(`aiops: ${text}\n`);
    await followRun({ client, connection, run, after, print, remark, signal });
  });
}

/** What is over can be read without a worker, unless somebody named an address. */
async function isForTheJournal(flags: LogsFlags, io: RemoteIo): Promise<boolean> {
  if (flags.url !== undefined || (flags.workflow === undefined && io.environment['AIOPS_DASHBOARD_URL']))
    return false;
  try {
    const path = await chooseWorkflowPath(flags.workflow, io.environment, io.cwd);
    return (await findRecord(path, io.environment)) === null;
  } catch {
    return false;
  }
}

async function readFromJournal(
  name: string,
  flags: LogsFlags,
  io: RemoteIo,
): Promise<readonly TimelineEntry[]> {
  let entries: readonly TimelineEntry[] = [];
  await withJournal(openNamedJournal(flags, io), io, async (journal) => {
    const [latest] = journal.runsOfIssue(name, 1);
    const found = latest === undefined ? journal.findRun(name) : null;
    const run = latest?.runId ?? (found?.kind === 'found' ? found.run.runId : undefined);
    if (run === undefined) {
      throw new AppError(
        'run_not_found',
        `the journal knows no run of ${JSON.stringify(oneLine(name, 80))}`,
        {
          hint: 'Run `aiops history` for the runs it holds.',
        },
      );
    }
    entries = (await readJournalTimeline(journal, run)).entries.map(({ seq, at, event }) =>
      timelineRow(seq, at, event),
    );
  });
  return entries.slice(-flags.limit);
}

async function latestRun(client: ApiClient, name: string, signal: () => AbortSignal): Promise<string> {
  const issue = await client.issue(name, signal());
  if (issue === null) return (await client.run(name, signal())).run_id;
  const run = issue.running?.run_id ?? issue.ended[0]?.run_id;
  if (run !== undefined) return run;
  throw new AppError('run_not_found', `${issue.issue_identifier} has had no run yet`, {
    hint: `Run \`aiops status ${issue.issue_identifier}\` to see what it waits for.`,
  });
}

/** What is too long for the terminal goes on under itself. */
function formatEntry({ at, kind, message }: TimelineEntry, look: Look): string {
  const { columns, color } = look;
  const time = formatClock(Date.parse(at), look);
  const what = oneLine(kind, 24).padEnd(16);
  const head = `${time}  ${what}  `;
  const text = oneLine(message, 400);
  const room = columns === null ? null : Math.max(MIN_COLUMNS, columns - head.length);
  const body = room === null ? text : wrapTo(text, room).join(`\n${' '.repeat(head.length)}`);
  return `${paint(time, 'quiet', color)}  ${paint(what, 'strong', color)}  ${body}\n`;
}
