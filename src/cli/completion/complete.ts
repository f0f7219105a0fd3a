import type { Command } from 'commander';
import { EXIT } from '../../errors/exit-codes.ts';
import type { CliIo } from '../io.ts';
import { type Candidate, candidatesFor } from './candidates.ts';
import { SHELLS, type Shell } from './scripts.ts';

/** Arguments that are issues; `id` is the word of `aiops issue`. */
const ISSUE_ARGUMENTS: ReadonlySet<string> = new Set(['issue', 'id']);

/**
 * `aiops __complete SHELL -- WORDS`, which only shells type: the words that may come next, one per line, as that shell
 * takes them. `programFor` gives the commands that a command line needs.
 */
export async function answerShell(
  [shell = '', , ...words]: readonly string[],
  io: CliIo,
  programFor: (args: readonly string[]) => Promise<Command>,
): Promise<number> {
  if (!isShell(shell)) return EXIT.usage;
  const found = await complete(words, io, programFor);
  io.stdout(found.map((candidate) => `${FORMATS[shell](candidate)}\n`).join(''));
  return EXIT.ok;
}

async function complete(
  words: readonly string[],
  io: CliIo,
  programFor: (args: readonly string[]) => Promise<Command>,
): Promise<readonly Candidate[]> {
  // The word under the cursor is no command yet, however complete it looks.
  const earlier = words.slice(0, -1);
  const { candidates, argument } = candidatesFor(await programFor(earlier), words);
  if (candidates.length > 0 || argument === null || !ISSUE_ARGUMENTS.has(argument)) return candidates;
  const { issueCandidates } = await import('./issue-candidates.ts');
  const partial = (words.at(-1) ?? '').toLowerCase();
  return (await issueCandidates(earlier, io)).filter(({ word }) => word.toLowerCase().startsWith(partial));
}

const FORMATS: Readonly<Record<Shell, (candidate: Candidate) => string>> = {
  bash: ({ word }) => word,
  zsh: ({ word, about }) => `${word.replaceAll(':', '\\:')}:${about}`,
  fish: ({ word, about }) => `${word}\t${about}`,
};

function isShell(text: string): text is Shell {
  return SHELLS.some((shell) => shell === text);
}
