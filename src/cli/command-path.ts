import type { Command, Option } from 'commander';

/** A command line as far as it was understood. */
export interface Understood {
  /** The deepest command that the words name. */
  readonly command: Command;
  /** Words that are arguments of it. */
  readonly args: readonly string[];
  /** The option whose value the last word is to be; null when it waits for none. */
  readonly open: Option | null;
  /** Options that were given. */
  readonly given: readonly Option[];
}

/** Follows the words through commands and options, as commander does, without running anything. */
export function understand(program: Command, words: readonly string[]): Understood {
  let command = program;
  let open: Option | null = null;
  const args: string[] = [];
  const given: Option[] = [];
  for (const word of words) {
    if (open !== null) {
      open = null;
      continue;
    }
    if (word.startsWith('-') && word !== '-') {
      const option = optionNamed(command, word.split('=')[0] ?? word);
      if (option === undefined) continue;
      given.push(option);
      if (option.required && !word.includes('=')) open = option;
      continue;
    }
    const next = args.length > 0 ? undefined : subcommand(command, word);
    if (next === undefined) args.push(word);
    else command = next;
  }
  return { command, args, open, given };
}

/** Of a command and of those it is part of. */
export function optionsOf(command: Command): readonly Option[] {
  const own = command.createHelp().visibleOptions(command);
  const above: Option[] = [];
  for (let at = command.parent; at !== null; at = at.parent) above.push(...at.options);
  return [...own, ...above];
}

/** The command that a group stands for where its own word is left out, else the command itself. */
export function defaultOf(command: Command): Command {
  const name = '_defaultCommandName' in command ? command._defaultCommandName : null;
  return command.commands.find((known) => known.name() === name) ?? command;
}

function optionNamed(command: Command, name: string): Option | undefined {
  for (let at: Command | null = defaultOf(command); at !== null; at = at.parent) {
    const found = at.options.find(({ long, short }) => long === name || short === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function subcommand(command: Command, word: string): Command | undefined {
  return command.commands.find((known) => known.name() === word || known.aliases().includes(word));
}

/** `aiops issue new` */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
