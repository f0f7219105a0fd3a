import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { understand } from '../../../src/cli/command-path.ts';
import { loadAllCommands } from '../../../src/cli/commands.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { blocks, documentedCommands, mentionedCommands } from '../../e2e/docs/documented-commands.ts';
import { SILENT_IO } from './silent-io.ts';

/** What the program has no command or option for. */
function unknownWords(program: Command, text: string): readonly string[] {
  const words = text.split(/\s+/).slice(1);
  const { command, args, given } = understand(program, words);
  const flags = words
    .filter((word) => /^--?[a-z]/i.test(word) && word !== '-V')
    .map((word) => word.split('=')[0]);
  const known = given.flatMap(({ long, short }) => [long, short]);
  const missing = flags.filter((flag) => !known.includes(flag) && flag !== '--help' && flag !== '--version');
  const isGroup = command.commands.length > 0 && args.length > 0;
  const isPlaceholder = /^[A-Z<[]/.test(args[0] ?? '');
  return [...missing.map(String), ...(isGroup && !isPlaceholder ? args.slice(0, 1) : [])];
}

it('names no command or option that is not there, in blocks and in sentences', async () => {
  const program = createProgram(await loadAllCommands(), [], SILENT_IO, () => {});
  expect(unknownWords(program, 'aiops status --bogus')).toEqual(['--bogus']);
  expect(unknownWords(program, 'aiops issue nwe')).toEqual(['nwe']);
  const named = [...documentedCommands(), ...mentionedCommands()].filter(({ text }) =>
    text.startsWith('aiops '),
  );
  expect(named.length).toBeGreaterThan(150);
  const wrong = named.flatMap(({ file, text }) => {
    const unknown = unknownWords(program, text.split(/[|<>;]/)[0] ?? '');
    return unknown.length === 0 ? [] : [`${file}: ${text} (${unknown.join(', ')})`];
  });
  expect(wrong).toEqual([]);
});

it('hides no command in a block that does not say it is one', () => {
  const hidden = blocks()
    .filter(({ language }) => language === '')
    .flatMap(({ file, lines }) =>
      lines.filter((line) => /^(\$ |aiops |npm |curl )/.test(line)).map((line) => `${file}: ${line}`),
    );
  expect(hidden).toEqual([]);
});
