import { CommanderError } from 'commander';
import { EXIT } from '../errors/exit-codes.ts';
import { commandIn, isOneCommand, loadCommands } from './commands.ts';
import { withTwoDashes } from './go-spelling.ts';
import type { CliIo } from './io.ts';
import type { CommandOutline } from './outline/outline.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';

/** What the scripts of `aiops completion` call. */
const ASKED_BY_SHELL = '__complete';
/** What the build calls, for `outline/read-outline.ts`. */
const ASKED_BY_BUILD = '__outline';

/**
 * Parses the command line, runs the command and gives the process's exit code. Never throws. With an outline, help and
 * completion load no command.
 */
export async function runCli(
  typed: readonly string[],
  io: CliIo,
  readOutline: () => CommandOutline | null = () => null,
): Promise<number> {
  let exitCode: number = EXIT.ok;
  const args = withTwoDashes(typed, commandIn(typed));
  try {
    if (args[0] === ASKED_BY_SHELL) return await answer(args.slice(1), io, readOutline);
    if (args[0] === ASKED_BY_BUILD) return await writeOutline(io);
    const told = await help(args, io, readOutline);
    if (told !== null) return told;
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

async function help(
  args: readonly string[],
  io: CliIo,
  readOutline: () => CommandOutline | null,
): Promise<number | null> {
  const asks = args.some((word) => word === '--help' || word === '-h');
  const outline = asks || !isOneCommand(args) ? readOutline() : null;
  return outline === null ? null : (await import('./outline/tell-help.ts')).tellHelp(outline, args, io);
}

async function answer(
  asked: readonly string[],
  io: CliIo,
  readOutline: () => CommandOutline | null,
): Promise<number> {
  const { answerShell } = await import('./completion/complete.ts');
  const outline = readOutline();
  const { outlined } = await import('./outline/tell-help.ts');
  return answerShell(asked, io, async (words) =>
    createProgram(outline === null ? await loadCommands(words) : [outlined(outline)], words, io, () => {}),
  );
}

async function writeOutline(io: CliIo): Promise<number> {
  const { wholeOutline } = await import('./outline/write-outline.ts');
  io.stdout(`${JSON.stringify(await wholeOutline())}\n`);
  return EXIT.ok;
}
