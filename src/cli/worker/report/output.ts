import { systemClock } from '../../../domain/clock.ts';
import { AppError } from '../../../errors/app-error.ts';
import { createLogger } from '../../../observability/create-logger.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Redactor } from '../../../observability/redact.ts';
import type { CliIo } from '../../io.ts';
import type { Verbosity } from '../../terminal/log-lines.ts';
import { wantsColor } from '../../terminal/tones.ts';
import { WorkerTerminal } from '../../terminal/worker-terminal.ts';

export interface OutputFlags {
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
  { logFormat, logLevel, quiet }: OutputFlags,
  io: CliIo,
  redactor: Redactor,
): Output {
  if (quiet && logLevel !== undefined)
    throw new AppError('usage', '--quiet and --log-level say two things about the same', {
      hint: 'Use one of them; --quiet is --log-level warn.',
    });
  const verbosity = quiet ? 'warn' : (logLevel ?? 'info');
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && io.interactive);
  if (!pretty) return { logger: createLogger({ level: verbosity, redactor }), terminal: null };
  const terminal = new WorkerTerminal({
    clock: systemClock,
    color: wantsColor(io.environment, io.interactive),
    columns: () => io.columns?.() ?? null,
    verbosity,
    write: io.stderr,
  });
  const logger = createLogger({ stream: terminal.logStream, level: verbosity, redactor });
  return { logger, terminal };
}
