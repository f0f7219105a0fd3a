import type { Command } from 'commander';

/** The end of a command's help: command lines that work as they stand. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', examplesText(...lines));
}

export function examplesText(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
