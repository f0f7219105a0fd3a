import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { AppError, messageOf } from '../../../errors/app-error.ts';
import { RotatingFile } from '../../../observability/rotating-file.ts';
import { createSink, type LogStream } from '../../../observability/sink.ts';
import { parseSize } from '../../parse-limits.ts';

export interface LogFileFlags {
  readonly logFile?: string;
  readonly logsRoot?: string;
  readonly logFileSize?: number;
  readonly logFileCount?: number;
}

const DEFAULT_BYTES = 10 * 1024 ** 2;
const DEFAULT_FILES = 5;
/** Where upstream's `--logs-root` puts its log, for whoever follows it there. */
const UPSTREAM_NAME = join('log', 'symphony.log');

export function withLogFile(command: Command): Command {
  return command
    .option('--log-file <path>', 'log JSON lines to this file; they no longer go to standard error')
    .option(
      '--log-file-size <size>',
      'with a log file: begin a new one at this size (default: 10M)',
      parseSize,
    )
    .option('--log-file-count <number>', 'with a log file: how many to keep (default: 5)', parseCount)
    .option('--logs-root <folder>', `log to ${UPSTREAM_NAME} below this folder, as Symphony does`);
}

/** The file that the flags ask for, open; null when they ask for none. */
export function openLogFile(flags: LogFileFlags, cwd: string): RotatingFile | null {
  const path = logPath(flags, cwd);
  const { logFileSize: maxBytes = DEFAULT_BYTES, logFileCount: files = DEFAULT_FILES } = flags;
  if (path === null) {
    if (flags.logFileSize === undefined && flags.logFileCount === undefined) return null;
    throw new AppError('usage', '--log-file-size and --log-file-count go with --log-file', {
      hint: 'Add --log-file PATH, or leave them out.',
    });
  }
  try {
    return new RotatingFile({ path, maxBytes, files });
  } catch (error) {
    throw new AppError('usage', `the log file ${path} cannot be written: ${messageOf(error)}`, {
      hint: 'Name another with --log-file, or leave it out to log to standard error.',
      cause: error,
    });
  }
}

function logPath({ logFile, logsRoot }: LogFileFlags, cwd: string): string | null {
  if (logFile !== undefined && logsRoot !== undefined)
    throw new AppError('usage', '--log-file and --logs-root say two things about the same', {
      hint: 'Use one of them.',
    });
  const named = logFile ?? logsRoot;
  if (named === undefined) return null;
  if (named.trim() === '')
    throw new AppError('usage', `${logFile === undefined ? '--logs-root' : '--log-file'} is empty`, {
      hint: 'Give a path.',
    });
  return logFile === undefined ? resolve(cwd, named, UPSTREAM_NAME) : resolve(cwd, named);
}

/** Every line to each of them; one that fails costs the others nothing. */
export function teeStreams(streams: readonly LogStream[], onLoss: (reason: string) => void): LogStream {
  const sinks = streams.map((stream) => createSink(stream, onLoss));
  return {
    write(line: string) {
      for (const sink of sinks) sink.write(line);
    },
  };
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > 1000)
    throw new InvalidArgumentError('give a whole number from 1 to 1000.');
  return count;
}
