import { hasOpenQuote, needsShell, wordsOf } from '../../config/schema/shell-words.ts';
import { AppError } from '../../errors/app-error.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * How a command with further arguments is started: directly when it is plain, else by `bash -c`. Login files are not read
 * here: what they set is already in the environment.
 */
export function programOf(command: string, more: readonly string[] = []): Program {
  if (hasOpenQuote(command))
    throw new AppError('agent_failed', `A quote is never closed in the command: ${command}`, {
      hint: 'Close the quote in the command of the agent in WORKFLOW.md.',
    });
  const [program = '', ...args] = needsShell(command) ? [] : wordsOf(command);
  if (program !== '' && !ASSIGNMENT.test(program)) return { command: program, args: [...args, ...more] };
  const script = more.length === 0 ? [command] : [`${command} "$@"`, 'agent', ...more];
  return { command: 'bash', args: ['-c', ...script] };
}
