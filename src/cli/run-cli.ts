import { CommanderError } from 'commander';
import { EXIT } from '../errors/exit-codes.ts';
import { loadCommands } from './commands.ts';
import type { CliIo } from './io.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';

/** What the scripts of `aiops completion` call. */
const ASKED_BY_SHELL = '__complete';

/** Parses the command line, runs the command and gives the process's exit code. Never throws. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  let exitCode: number = EXIT.ok;
  try {
    if (args[0] === ASKED_BY_SHELL) return await answer(args.slice(1), io);
    const program = createProgram(await loadCommands(args), args, io, (code) => {
      exitCode = code;
    });
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, io.stderr);
  }
}

async function answer(asked: readonly string[], io: CliIo): Promise<number> {
  const { answerShell } = await import('./completion/complete.ts');
  return answerShell(asked, io, async (words) =>
    createProgram(await loadCommands(words), words, io, () => {}),
  );
}
