import type { Command } from 'commander';
import { nearest } from '../domain/nearest.ts';
import { defaultOf, pathOf, understand } from './command-path.ts';

/** Commander's own words, in the one line that every failure has here, with what was probably meant and where to read on. */
export function usageErrorLine(text: string, program: Command, args: readonly string[]): string {
  const message = text
    .replace(/^error: /, '')
    .trimEnd()
    .replaceAll('\n', ' ');
  const told = `${message}${/[.?)]$/.test(message) ? '' : '.'}${suggestValue(message)}`;
  const command = defaultOf(understand(program, args).command);
  const help =
    command === program
      ? 'Run `aiops --help` for the commands.'
      : `Run \`${pathOf(command)} --help\` for what it takes.`;
  return `aiops: ${told} ${help}\n`;
}

/** Commander suggests commands and options itself, but no values. */
function suggestValue(message: string): string {
  const found = /(?:argument|value) '(.*?)' is invalid.* Allowed choices are (.*)\.$/s.exec(message);
  if (found === null) return '';
  const [, given = '', choices = ''] = found;
  const meant = nearest(given, choices.split(', '));
  return meant === null ? '' : ` Did you mean ${meant}?`;
}
