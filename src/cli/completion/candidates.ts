import type { Argument, Command, Option } from 'commander';
import { defaultOf, optionsOf, understand } from '../command-path.ts';

/** A word that may come next, and what it is for. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** The next word as far as the commands themselves say; `names`: the name of an argument whose values only a worker knows. */
export interface Next {
  readonly candidates: readonly Candidate[];
  readonly argument: string | null;
}

/** What may stand where the cursor is: `words` are those after the program's name, the last one as far as it is typed. */
export function candidatesFor(program: Command, words: readonly string[]): Next {
  const typed = words.at(-1) ?? '';
  // Bash hands over `--option=value` as three words.
  const earlier = words.slice(0, -1).filter((word) => word !== '=');
  const partial = typed === '=' ? '' : typed;
  const { command, args, open, given } = understand(program, earlier);
  if (open !== null) return starting(partial, choicesOf(open), null);
  const assigned = /^(--[\w-]+)=(.*)$/s.exec(partial);
  if (assigned !== null) return starting(partial, assignedValues(command, assigned[1] ?? ''), null);
  if (partial.startsWith('-')) return starting(partial, optionWords(command, given), null);
  const leaf = defaultOf(command);
  const argument = leaf.registeredArguments[args.length] ?? lastVariadic(leaf);
  const subcommands = args.length > 0 ? [] : subcommandWords(command);
  return starting(partial, [...subcommands, ...argumentChoices(argument)], argument?.name() ?? null);
}

function starting(partial: string, candidates: readonly Candidate[], argument: string | null): Next {
  return { candidates: candidates.filter(({ word }) => word.startsWith(partial)), argument };
}

function choicesOf({ argChoices, description }: Option): Candidate[] {
  return (argChoices ?? []).map((word) => ({ word, about: description }));
}

function assignedValues(command: Command, name: string): Candidate[] {
  const option = optionsOf(defaultOf(command)).find(({ long }) => long === name);
  return option === undefined
    ? []
    : choicesOf(option).map(({ word, about }) => ({ word: `${name}=${word}`, about }));
}

/** What was given once is not offered again. */
function optionWords(command: Command, given: readonly Option[]): Candidate[] {
  return optionsOf(defaultOf(command)).flatMap((option) => {
    const word = option.long ?? option.short;
    const isDone = given.some(({ long }) => long === option.long) && !option.variadic;
    return word === undefined || word === null || isDone || option.hidden
      ? []
      : [{ word, about: option.description }];
  });
}

function subcommandWords(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((known) => ({ word: known.name(), about: known.description() }));
}

function argumentChoices(argument: Argument | undefined): Candidate[] {
  return (argument?.argChoices ?? []).map((word) => ({ word, about: argument?.description ?? '' }));
}

function lastVariadic(command: Command): Argument | undefined {
  const last = command.registeredArguments.at(-1);
  return last?.variadic === true ? last : undefined;
}
