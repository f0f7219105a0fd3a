import { Argument, type Command, Option } from 'commander';
import { defaultOf } from '../command-path.ts';

/** A command as its help tells of it: data, so that help needs no code of any command. */
export interface CommandOutline {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** The command that the group stands for where its own word is left out. */
  readonly byDefault: string | null;
  readonly args: readonly ArgumentOutline[];
  readonly options: readonly OptionOutline[];
  /** What its help says after the options. */
  readonly notes: string;
  readonly commands: readonly CommandOutline[];
}

interface ArgumentOutline {
  /** `<issue>`, `[path]`, `<text...>` */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

interface OptionOutline {
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly value?: unknown;
  readonly hidden?: true;
}

/** `notesOf` gives what a command's help says after its options. */
export function outlineOf(command: Command, notesOf: (command: Command) => string): CommandOutline {
  const byDefault = defaultOf(command);
  return {
    name: command.name(),
    aliases: command.aliases(),
    description: command.description(),
    byDefault: byDefault === command ? null : byDefault.name(),
    args: command.registeredArguments.map((argument) => ({
      name: writtenName(argument),
      description: argument.description,
      ...(argument.argChoices && { choices: argument.argChoices }),
    })),
    options: command.options.map(({ flags, description, argChoices, defaultValue, hidden }) => ({
      flags,
      description,
      ...(argChoices && { choices: argChoices }),
      ...(defaultValue !== undefined && { value: defaultValue }),
      ...(hidden && { hidden }),
    })),
    notes: notesOf(command),
    commands: command.commands.map((below) => outlineOf(below, notesOf)),
  };
}

function writtenName(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Adds a command that has help and can be completed, and does nothing: `onAction` is called where it would act. */
export function addOutlined(
  parent: Command,
  outline: CommandOutline,
  onAction: () => void,
  isDefault = false,
): void {
  const command = parent
    .command(outline.name, { isDefault })
    .aliases([...outline.aliases])
    .description(outline.description);
  for (const { name, description, choices } of outline.args) {
    const argument = new Argument(name, description);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const { flags, description, choices, value, hidden = false } of outline.options) {
    const option = new Option(flags, description).default(value).hideHelp(hidden);
    command.addOption(choices === undefined ? option : option.choices(choices));
  }
  if (outline.notes !== '') command.addHelpText('after', outline.notes);
  for (const below of outline.commands)
    addOutlined(command, below, onAction, below.name === outline.byDefault);
  if (outline.commands.length === 0) command.action(onAction);
}
