import type { Command, Option } from 'commander';
import { EXIT, EXIT_MEANINGS } from '../errors/exit-codes.ts';
import { pathOf } from './command-path.ts';
import { wholeProgram } from './outline/write-outline.ts';

const INTRO = `# The command line

<!-- Generated from the commands themselves by \`npm run docs:config\`; a check compares the two. -->

\`aiops COMMAND --help\` prints the same. Every command takes \`-w, --workflow <path>\`: the workflow file or its folder, by
default \`$AIOPS_WORKFLOW_PATH\`, then \`./WORKFLOW.md\`. Lists fit the terminal, and are whole when piped; \`--json\` is for scripts,
with times in UTC. \`NO_COLOR\` and \`FORCE_COLOR\` say whether there are colours.
`;

/** docs/cli.md: every command with its arguments, options and examples, and what exit codes mean. */
export async function cliReferencePage(): Promise<string> {
  const { program, notesOf } = await wholeProgram();
  const commands = program.commands.flatMap(leavesOf);
  const contents = commands.map(
    (command) => `- [\`${pathOf(command)}\`](#${anchorOf(command)}): ${command.description()}`,
  );
  return [
    INTRO,
    exitCodes(),
    `## Commands\n\n${contents.join('\n')}\n`,
    ...commands.map((command) => sectionOf(command, notesOf(command))),
  ].join('\n');
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function anchorOf(command: Command): string {
  return pathOf(command).replaceAll(' ', '-');
}

function exitCodes(): string {
  const rows = (Object.keys(EXIT) as (keyof typeof EXIT)[]).map(
    (name) => `| ${EXIT[name]} | ${EXIT_MEANINGS[name]} |`,
  );
  return `## Exit codes\n\n| code | means |\n|---|---|\n${rows.join('\n')}\n`;
}

function sectionOf(command: Command, notes: string): string {
  const usage = `${pathOf(command)} ${command.usage().replace('[options] ', '')}`
    .replace(' [options]', '')
    .trimEnd();
  const args = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}…` : argument.name();
    return `| \`${name}\` | ${cell(`${argument.description}${choices(argument.argChoices)}`)} |`;
  });
  const options = command.options.filter(({ hidden }) => !hidden).map(optionRow);
  const rows = [...args, ...options];
  const table = rows.length === 0 ? '' : `\n| takes | |\n|---|---|\n${rows.join('\n')}\n`;
  return `## \`${pathOf(command)}\`\n\n${sentence(command.description())}\n\n\`${usage}\`\n${table}${formatNotes(notes)}`;
}

function optionRow({ flags, description, defaultValue, argChoices }: Option): string {
  const isSaid = description.includes('(default:') || defaultValue === undefined || defaultValue === false;
  const byDefault = isSaid ? '' : ` (default: ${String(defaultValue)})`;
  return `| \`${cell(flags)}\` | ${cell(`${description}${choices(argChoices)}${byDefault}`)} |`;
}

function choices(values: readonly string[] | undefined): string {
  return values === undefined ? '' : `: ${values.map((value) => `\`${value}\``).join(', ')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What stands after the options in the help: paragraphs, and examples as something to copy. */
function formatNotes(notes: string): string {
  const blocks = notes.trim().split(/\n\n+/);
  const written = blocks.map((block) => {
    const examples = /^Examples:\n((?: {2}.*(?:\n|$))+)/.exec(block);
    if (examples === null) return block;
    const lines = (examples[1] ?? '').trimEnd().split('\n');
    return `\`\`\`sh\n${lines.map((line) => line.slice(2)).join('\n')}\n\`\`\``;
  });
  return written.length === 0 ? '' : `\n${written.join('\n\n')}\n`;
}
