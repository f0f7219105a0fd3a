import { split } from 'shlex';

/** What may mean something to a shell, unless it is in single quotes. */
const SHELL_SYNTAX = /[|&;<>()$`\\*?[\]{}#~!\n\r]/;
const QUOTED = /"[^"]*"|'[^']*'/g;

/** True for a command that only a shell understands. */
export function needsShell(command: string): boolean {
  return SHELL_SYNTAX.test(command.replace(QUOTED, (part) => (part.startsWith("'") ? '' : part)));
}

/** True for a command that a shell is not needed for, and in which a quote is never closed. */
export function hasOpenQuote(command: string): boolean {
  return !needsShell(command) && trySplit(command) === null;
}

/** The words of a command as far as they can be told without a shell; variables and operators stay as they are written. */
export function wordsOf(command: string): readonly string[] {
  return trySplit(command) ?? command.split(/\s+/);
}

function trySplit(command: string): readonly string[] | null {
  try {
    return split(command);
  } catch {
    return null;
  }
}
