import { Command } from 'commander';
import { groupCommands } from './command-groups.ts';
import type { CliIo } from './io.ts';
import type { RegisterCommand } from './register-command.ts';
import { usageErrorLine } from './usage-error.ts';
import { readVersion } from './version.ts';
import { addWorkflowOption } from './workflow-option.ts';

/** The command line as commander sees it, with these commands; it throws instead of ending the process. */
export function createProgram(
  commands: readonly RegisterCommand[],
  args: readonly string[],
  io: CliIo,
  finish: (exitCode: number) => void,
): Command {
  const program = new Command('aiops')
    .description('Turns ready issues into branches: watches a tracker and runs a coding agent on each issue.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', '\nRun `aiops COMMAND --help` for what a command takes, with examples.')
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      outputError: (text, write) => write(usageErrorLine(text, program, args)),
    });
  addWorkflowOption(program);
  for (const register of commands) register(program, io, finish);
  groupCommands(program);
  return program;
}
