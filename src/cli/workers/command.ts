import type { Command } from 'commander';
import { systemClock } from '../../domain/clock.ts';
import { examplesText } from '../examples.ts';
import { formatDuration, oneLine } from '../history/text.ts';
import type { CliIo } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { listRecords, type WorkerRecord } from '../record/worker-record.ts';
import type { RegisterCommand } from '../register-command.ts';
import { type Cell, formatListing } from '../terminal/format-table.ts';
import { type Look, lookOf } from '../terminal/look.ts';
import { formatTime, timeHeading } from '../terminal/times.ts';
import { type UtcFlag, withUtc } from '../utc-option.ts';

interface WorkersFlags extends UtcFlag {
  readonly json: boolean;
}

/** `aiops workers`: which workers of this user run on this machine. */
export const registerWorkersCommand: RegisterCommand<
  Pick<CliIo, 'stdout' | 'environment' | 'outputColumns'>
> = (program, io, finish) => {
  withUtc(program.command('workers'))
    .description('list the workers of yours that run on this machine')
    .option('--json', 'print JSON, without their tokens', false)
    .addHelpText(
      'after',
      `${examplesText('aiops workers', 'aiops workers --json')}` +
        '\nA worker is named by its workflow: `aiops status --workflow PATH` asks the one that runs it.',
    )
    .action(async (flags: WorkersFlags, _command: Command) => {
      const records = [...(await listRecords(io.environment))].sort((a, b) =>
        a.workflow_path.localeCompare(b.workflow_path),
      );
      io.stdout(
        flags.json
          ? jsonText(records.map(withoutToken))
          : formatWorkers(records, systemClock.now(), lookOf(io, flags)),
      );
      finish(0);
    });
};

function formatWorkers(records: readonly WorkerRecord[], now: number, look: Look): string {
  if (records.length === 0) return 'No worker runs. `aiops worker` starts one.\n';
  const rows = records.map((record): Cell[] => {
    const since = Date.parse(record.started_at);
    return [
      String(record.pid),
      { text: formatTime(since, look), tone: 'quiet' },
      formatDuration(now - since),
      oneLine(record.version, 20),
      record.url === null ? { text: 'no page or API', tone: 'attention' } : oneLine(record.url, 80),
      oneLine(record.workflow_path, 400),
    ];
  });
  const heads = [
    'PID',
    { text: timeHeading('STARTED', look), spare: 2 },
    'UP',
    { text: 'VERSION', spare: 1 },
    ...['PAGE', 'WORKFLOW'],
  ];
  return formatListing(heads, rows, look);
}

function withoutToken({ token: _secret, format: _format, ...told }: WorkerRecord): object {
  return told;
}
