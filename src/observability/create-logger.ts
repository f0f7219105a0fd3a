import { type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { cleanFields, cleanText } from './clean-record.ts';
import type { LogFields, Logger } from './logger.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { createSink, type LogStream } from './sink.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  /** Default: stderr. Stdout is left to the results of commands. */
  readonly stream?: LogStream;
  /** Default: info. */
  readonly level?: LogLevel;
  /** Knows the secrets in use; without one, only what is shaped like a secret is removed. */
  readonly redactor?: Redactor;
}

/**
 * The worker's logger: one JSON object per line with `time` (ISO, UTC), `level` and `msg`. Lines for a person are made of
 * it by `cli/terminal`. Every text in a record is redacted, at any depth. A stream that fails costs log lines, nothing else.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { stream = process.stderr, level = 'info', redactor = createRedactor() } = options;
  const sink = createSink(stream, (reason) => reportLoss(stream, reason));
  const instance = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    sink,
  );
  return wrap(instance, redactor, []);
}

function wrap(instance: PinoLogger, redactor: Redactor, bound: readonly LogFields[]): Logger {
  const log = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    if (!instance.isLevelEnabled(level)) return;
    instance[level](cleanFields([...bound, fields ?? {}], redactor), cleanText(message, redactor));
  };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    with: (fields) => wrap(instance, redactor, [...bound, fields]),
  };
}

/** Says it where somebody may still read it. */
function reportLoss(stream: LogStream, reason: string): void {
  if (stream === process.stderr) return;
  createSink(process.stderr, () => {}).write(`log lines are being lost: ${reason}\n`);
}
