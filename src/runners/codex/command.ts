import { runsCodexExec } from '../../config/resolve/codex.ts';
import { AppError } from '../../errors/app-error.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Characters that mean something to a shell outside of quotes. */
const SHELL_SYNTAX = /[|&;<>()$`\\*?[\]{}#~!\n\r]/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * How `codex.command` is started: its words directly when it is plain, else by `bash -c`. Login files are not read here:
 * what they set is already in the environment.
 */
export function programOf(command: string): Program {
  if (runsCodexExec(command)) {
    throw new AppError(
      'agent_failed',
      'codex.command starts `codex exec`, which cannot be driven turn by turn.',
      {
        hint: 'Set codex.command in WORKFLOW.md to `codex app-server`.',
      },
    );
  }
  const words = plainWords(command);
  const [program, ...args] = words ?? [];
  return program === undefined ? { command: 'bash', args: ['-c', command] } : { command: program, args };
}

/** The words of a command that needs no shell; null when only a shell can tell them. */
export function plainWords(command: string): readonly string[] | null {
  const words: string[] = [];
  for (const [, double, single, bare] of command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)|\S/g)) {
    const word = double ?? single ?? bare;
    if (word === undefined) return null;
    if (double !== undefined && /[$`\\!]/.test(double)) return null;
    if (bare !== undefined && (SHELL_SYNTAX.test(bare) || (words.length === 0 && ASSIGNMENT.test(bare))))
      return null;
    words.push(word);
  }
  // A quote in the middle of a word joins what it stands between.
  if (/[^\s"']["']|["'][^\s"']/.test(maskQuoted(command)) || words[0] === '') return null;
  return words.length === 0 ? null : words;
}

/** Quoted parts with spaces in them, so that only the quotes' own neighbours remain to be looked at. */
function maskQuoted(command: string): string {
  return command.replace(/"[^"]*"|'[^']*'/g, (part) => `"${' '.repeat(part.length)}"`);
}
