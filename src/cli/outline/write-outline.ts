import type { Command } from 'commander';
import { loadAllCommands } from '../commands.ts';
import type { CliIo } from '../io.ts';
import { createProgram } from '../program.ts';
import { type CommandOutline, outlineOf } from './outline.ts';

/** The commands themselves, all of them, and what each one's help says after its options. */
export async function wholeProgram(): Promise<{
  readonly program: Command;
  readonly notesOf: (command: Command) => string;
}> {
  let printed = '';
  const io: CliIo = {
    stdout: (text) => {
      printed += text;
    },
    stderr: () => {},
    stdin: async () => '',
    environment: {},
    cwd: '/',
    interactive: false,
  };
  const program = createProgram(await loadAllCommands(), [], io, () => {});
  const notesOf = (command: Command): string => {
    printed = '';
    command.outputHelp();
    return printed.slice(command.helpInformation().length);
  };
  return { program, notesOf };
}

export async function wholeOutline(): Promise<CommandOutline> {
  const { program, notesOf } = await wholeProgram();
  // The line's end comes with each text that is added to a help.
  return outlineOf(program, (command) => notesOf(command).replace(/\n$/, ''));
}
