import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { candidatesFor } from '../../../src/cli/completion/candidates.ts';
import { outlined } from '../../../src/cli/outline/tell-help.ts';
import { wholeOutline, wholeProgram } from '../../../src/cli/outline/write-outline.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { runCli } from '../../../src/cli/run-cli.ts';
import { SILENT_IO } from './silent-io.ts';

function pathsOf(command: Command, above: readonly string[] = []): readonly (readonly string[])[] {
  const own = command.parent === null ? [] : [...above, command.name()];
  return [own, ...command.commands.flatMap((below) => pathsOf(below, own))];
}

async function told(args: readonly string[], outline: Awaited<ReturnType<typeof wholeOutline>> | null) {
  const printed: string[] = [];
  const io = {
    ...SILENT_IO,
    stdout: (text: string) => void printed.push(`out ${text}`),
    stderr: (text: string) => void printed.push(`err ${text}`),
  };
  const code = await runCli(args, io, () => outline);
  return { args, code, printed: printed.join('') };
}

it('says of every command what the command itself says, from data that JSON can carry', async () => {
  const { program } = await wholeProgram();
  const outline = JSON.parse(JSON.stringify(await wholeOutline()));
  const paths = pathsOf(program);
  expect(paths.length).toBeGreaterThan(35);
  for (const path of paths)
    expect(await told([...path, '--help'], outline)).toEqual(await told([...path, '--help'], null));
});

it.each([
  [[]],
  [['help']],
  [['help', 'worker']],
  [['rescues', '-h']],
  [['wroker']],
  [['issue', 'nwe', '-h']],
])('answers %j as the commands do', async (args) => {
  const answer = await told(args, await wholeOutline());
  expect(answer.printed).not.toBe('');
  expect(answer).toEqual(await told(args, null));
});

it('leaves to the command what only mentions help', async () => {
  const outline = await wholeOutline();
  for (const args of [
    ['pause', '--by', '-h', '--url', 'nowhere:x'],
    ['explain', '--', '-h'],
  ])
    expect(await told(args, outline)).toEqual(await told(args, null));
});

it('completes as the commands do', async () => {
  const { program } = await wholeProgram();
  const known = createProgram([outlined(await wholeOutline())], [], SILENT_IO, () => {});
  for (const path of pathsOf(program))
    for (const typed of ['', '-']) {
      const words = [...path, typed];
      expect([words, candidatesFor(known, words)]).toEqual([words, candidatesFor(program, words)]);
    }
});
