import { Argument } from 'commander';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import type { RegisterCommand } from '../register-command.ts';
import { INSTALL, SCRIPTS, SHELLS, type Shell } from './scripts.ts';

/** `aiops completion`: lets a shell complete commands, options, values and issues. */
export const registerCompletionCommand: RegisterCommand<Pick<CliIo, 'stdout'>> = (program, io, finish) => {
  program
    .command('completion')
    .description('print what lets your shell complete commands, options and issues')
    .addArgument(new Argument('<shell>', 'the shell').choices([...SHELLS]))
    .addHelpText(
      'after',
      `${examplesText(...SHELLS.map((shell) => INSTALL[shell]))}\nOpen a new shell afterwards. The words come from the program itself, so that this is done once.`,
    )
    .action((shell: Shell) => {
      io.stdout(SCRIPTS[shell]);
      finish(0);
    });
};
