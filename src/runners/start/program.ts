import { split } from 'shlex';
import { AppError } from '../../errors/app-error.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** What may mean something to a shell, unless it is in single quotes. */
const SHELL_SYNTAX = /[|&;<>()$`\\*?[\]{}#~!\n\r]/;
const QUOTED = /"[^"]*"|'[^']*'/g;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * How a command with further arguments is started: directly when it is plain, else by `bash -c`. Login files are not read
 * here: what they set is already in the environment.
 */
export function programOf(command: string, more: readonly string[] = []): Program {
  const [program = '', ...args] = needsShell(command) ? [] : plainWords(command);
  if (program !== '' && !ASSIGNMENT.test(program)) return { command: program, args: [...args, ...more] };
  const script = more.length === 0 ? [command] : [`${command} "$@"`, 'agent', ...more];
  return { command: 'bash', args: ['-c', ...script] };
}

/** The words of a command as far as they can be told without a shell; variables and operators stay as they are written. */
export function wordsOf(command: string): readonly string[] {
  try {
    return split(command);
  } catch {
    return command.split(/\s+/);
  }
}

function plainWords(command: string): readonly string[] {
  try {
    return split(command);
  } catch (error) {
    throw new AppError('agent_failed', `A quote is never closed in the command: ${command}`, {
      hint: 'Close the quote in the command of the agent in WORKFLOW.md.',
      cause: error,
    });
  }
}

function needsShell(command: string): boolean {
  return SHELL_SYNTAX.test(command.replace(QUOTED, (part) => (part.startsWith("'") ? '' : part)));
}
