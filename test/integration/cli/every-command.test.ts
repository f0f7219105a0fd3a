import { tmpdir } from 'node:os';
import type { Argument, Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { defaultOf, pathOf } from '../../../src/cli/command-path.ts';
import { wholeProgram } from '../../../src/cli/outline/write-outline.ts';
import { runInProcess } from '../../fakes/in-process-cli.ts';

const { program } = await wholeProgram();
const LEAVES = leavesOf(program).map((leaf): [string, Command] => [pathOf(leaf), leaf]);

/** These print nothing that JSON could hold better. */
const WITHOUT_JSON: Readonly<Record<string, string>> = {
  'aiops tui': 'a screen; `aiops status --json` has what it shows',
  'aiops config schema': 'it prints JSON and nothing else',
  'aiops completion': 'a script for a shell',
};

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function wordsOf(command: Command): string[] {
  return pathOf(command).split(' ').slice(1);
}

function cli(...args: readonly string[]) {
  return runInProcess(args, { cwd: tmpdir(), environment: {} });
}

/** Two letters in the wrong order. */
function misspelt(word: string): string {
  const at = word.search(/([a-z])(?!\1)[a-z]/);
  return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
}

/** Whatever its arguments have to be. */
function argumentsFor(command: Command): string[] {
  return command.registeredArguments
    .filter(({ required }) => required)
    .map(({ argChoices }) => argChoices?.[0] ?? 'x');
}

async function expectUsageError(args: readonly string[], command: Command, text: string): Promise<void> {
  const { code, out, err } = await cli(...args);
  expect([args, code, out]).toEqual([args, 2, '']);
  expect(err).toMatch(/^aiops: [^\n]+\n$/);
  expect(err).toContain(text);
  const help = command === program ? 'aiops --help' : `${pathOf(defaultOf(command))} --help`;
  expect(err).toContain(`\`${help}\``);
}

function meant(word: string): string {
  return `Did you mean ${word}?`;
}

describe.each(LEAVES)('%s', (_, leaf) => {
  const words = wordsOf(leaf);

  it('says what it does, with examples', async () => {
    const { code, out } = await cli(...words, '--help');
    expect([code, leaf.description()]).toEqual([0, expect.stringMatching(/^\S.{10,}[^.]$/)]);
    const [, examples = ''] = out.split('\nExamples:\n');
    // The word of the command that a group stands for may be left out.
    const named = words.at(-1) === 'list' ? words.slice(0, -1) : words;
    expect(examples).toContain(['aiops', ...named].join(' '));
    expect(out).not.toMatch(/default: false|default: \d{5,}/);
    expect(out).toContain('--workflow <path>');
    for (const { description, flags } of leaf.options) expect([flags, description]).not.toEqual([flags, '']);
  });

  it('prints JSON, or has nothing to put into it', () => {
    const hasJson = leaf.options.some(({ long }) => long === '--json');
    expect(hasJson).not.toBe(Object.hasOwn(WITHOUT_JSON, pathOf(leaf)));
  });

  it('points to its own help when an option is unknown, and to the option that was meant', async () => {
    await expectUsageError([...words, '--no-such-thing'], leaf, "unknown option '--no-such-thing'");
    const [longest] = [...leaf.options, ...program.options]
      .filter(({ hidden }) => !hidden)
      .map(({ long }) => long ?? '')
      .sort((one, other) => other.length - one.length);
    await expectUsageError([...words, misspelt(longest ?? '')], leaf, meant(longest ?? ''));
  });

  it('says which argument is missing', async () => {
    const required = leaf.registeredArguments.find((argument) => argument.required);
    if (required === undefined) expect(argumentsFor(leaf)).toEqual([]);
    else await expectUsageError(words, leaf, `missing required argument '${required.name()}'`);
  });

  it('names the value that was meant', async () => {
    const chosen = (option: Argument | Option): readonly string[] => option.argChoices ?? [];
    for (const option of leaf.options)
      for (const value of chosen(option))
        await expectUsageError(
          [...words, ...argumentsFor(leaf), option.long ?? '', misspelt(value)],
          leaf,
          meant(value),
        );
    for (const argument of leaf.registeredArguments)
      for (const value of chosen(argument))
        await expectUsageError([...words, misspelt(value)], leaf, meant(value));
  });
});

it('names the command that was meant', async () => {
  const groups = [program, ...program.commands.filter(({ commands }) => commands.length > 0)];
  for (const group of groups)
    for (const command of group.commands) {
      // A group that stands for one of its commands takes any word as that one's argument.
      if (defaultOf(group) !== group) continue;
      const { code, err } = await cli(...wordsOf(group), misspelt(command.name()));
      expect([code, err]).toEqual([2, expect.stringMatching(`Did you mean [^?]*\\b${command.name()}\\b`)]);
    }
});

it('puts every command into a group of the help, in a line of its own', async () => {
  const { out } = await cli('--help');
  expect(out).not.toContain('\nCommands:');
  const lines = out.split('\n');
  for (const command of program.commands)
    expect(lines).toContainEqual(expect.stringMatching(`^  ${command.name()}(, \\w+)? {2,}\\S`));
  expect(out).toMatch(/\n {2}worker +watch the tracker and run agents until stopped\n/);
});

it('lists no command without JSON that is not there', () => {
  const known = LEAVES.map(([path]) => path);
  expect(Object.keys(WITHOUT_JSON).filter((path) => !known.includes(path))).toEqual([]);
});
