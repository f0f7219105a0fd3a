import type { Command } from 'commander';
import type { CliIo } from './io.ts';

/** Adds its commands to the program; `finish` takes the exit code of the one that ran. */
export type RegisterCommand<Io = CliIo> = (
  program: Command,
  io: Io,
  finish: (exitCode: number) => void,
) => void;
