import type { Command } from 'commander';

export interface UtcFlag {
  readonly utc?: boolean;
}

/** For every command that prints times. JSON has them in UTC always. */
export function withUtc(command: Command): Command {
  return command.option('--utc', 'print times in UTC instead of local time');
}
