import { CommanderError } from 'commander';
import { EXIT } from '../../errors/exit-codes.ts';
import type { CliIo } from '../io.ts';
import { createProgram } from '../program.ts';
import type { RegisterCommand } from '../register-command.ts';
import { addOutlined, type CommandOutline } from './outline.ts';

/** Ends of a command line that need none of a command's code. */
const TOLD: ReadonlySet<string> = new Set([
  'commander.help',
  'commander.helpDisplayed',
  'commander.unknownCommand',
]);

/** Prints the help that a command line asks for, or that its command is unknown, and gives the exit code; null when it is about something else. */
export function tellHelp(outline: CommandOutline, args: readonly string[], io: CliIo): number | null {
  const printed: (() => void)[] = [];
  const kept: CliIo = {
    ...io,
    stdout: (text) => void printed.push(() => io.stdout(text)),
    stderr: (text) => void printed.push(() => io.stderr(text)),
  };
  try {
    createProgram([outlined(outline)], args, kept, () => {}).parse([...args], { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError) || !TOLD.has(error.code)) return null;
    for (const print of printed) print();
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/** Commands that have help and can be completed, and do nothing. */
export function outlined(outline: CommandOutline): RegisterCommand {
  return (program) => {
    for (const command of outline.commands) addOutlined(program, command, () => {});
  };
}
