export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Words without quotes, or in single or double quotes, in which nothing means anything to a shell. */
const PLAIN_WORD = /[\w@%+=:,./-]+|'[^']*'|"[^"$`\\!]*"/g;
const PLAIN = /^\s*(?:(?:[\w@%+=:,./-]+|'[^']*'|"[^"$`\\!]*")(?:\s+|$))+$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** How a command with further arguments is started: directly when it is plain, else by `bash -c`. */
export function programOf(command: string, more: readonly string[]): Program {
  const [program, ...args] = PLAIN.test(command) ? wordsOf(command) : [];
  if (program === undefined || program === '' || ASSIGNMENT.test(program)) {
    return { command: 'bash', args: ['-c', `${command} "$@"`, 'agent', ...more] };
  }
  return { command: program, args: [...args, ...more] };
}

/** The words of a command as far as they can be told without a shell. */
export function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(PLAIN_WORD), ([word]) => word.replace(/^(["'])(.*)\1$/s, '$2'));
}
