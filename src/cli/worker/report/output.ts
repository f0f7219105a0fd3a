import { systemClock } from '../../../domain/clock.ts';
import { AppError } from '../../../errors/app-error.ts';
import { createLogger } from '../../../observability/create-logger.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Redactor } from '../../../observability/redact.ts';
import type { CliIo } from '../../io.ts';
import type { Verbosity } from '../../terminal/log-lines.ts';
import { wantsColor } from '../../terminal/tones.ts';
import { WorkerTerminal } from '../../terminal/worker-terminal.ts';
import { type LogFileFlags, openLogFile, teeStreams } from './log-file.ts';

export interface OutputFlags extends LogFileFlags {
  readonly logFormat: 'auto' | 'pretty' | 'json';
  readonly logLevel?: Verbosity;
  readonly quiet: boolean;
}

export interface Output {
  readonly logger: Logger;
  /** Null when the log goes out as JSON lines. */
  readonly terminal: WorkerTerminal | null;
}

/** Lines for a person on a terminal, JSON lines for everything else, unless somebody says otherwise. */
export function openOutput(
  flags: OutputFlags,
  io: CliIo,
  redactor: Redactor,
  /** The workflow, where the command line named it. */
  named?: string,
): Output {
  const { logFormat, logLevel, quiet } = flags;
  if (quiet && logLevel !== undefined)
    throw new AppError('usage', '--quiet and --log-level say two things about the same', {
      hint: 'Use one of them; --quiet is --log-level warn.',
    });
  const verbosity = quiet ? 'warn' : (logLevel ?? 'info');
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && io.interactive);
  const file = openLogFile(flags, io.cwd);
  if (file !== null) io.stderr(`aiops: logging to ${file.path}\n`);
  if (!pretty) {
    const stream = file === null ? {} : { stream: file };
    return { logger: createLogger({ ...stream, level: verbosity, redactor }), terminal: null };
  }
  const terminal = new WorkerTerminal({
    clock: systemClock,
    color: wantsColor(io.environment, io.interactive),
    columns: () => io.columns?.() ?? null,
    verbosity,
    worker: named === undefined ? {} : { workflow: named },
    write: io.stderr,
  });
  const lose = (reason: string): void => io.stderr(`aiops: log lines are being lost: ${reason}\n`);
  const stream = file === null ? terminal.logStream : teeStreams([terminal.logStream, file], lose);
  const logger = createLogger({ stream, level: verbosity, redactor });
  return { logger, terminal };
}
