import { expect, test } from 'vitest';
import { hasOpenQuote, wordsOf } from './shell-words.ts';

test('words are those of a shell, whose syntax is left as it is', () => {
  expect(wordsOf('FOO="$HOME" claude -p --model=\'a b\' | tee')).toEqual([
    'FOO=$HOME',
    'claude',
    '-p',
    '--model=a b',
    '|',
    'tee',
  ]);
  expect(wordsOf("claude -p # it's mine")).toEqual(['claude', '-p', '#', "it's", 'mine']);
});

test('a quote that is left open is told from one that a shell would make sense of', () => {
  for (const command of ["codex 'unfinished", 'codex "unfinished', "codex it's"])
    expect(hasOpenQuote(command), command).toBe(true);
  for (const command of ['codex \'a\' "b"', `codex "it's"`, "codex | tee # what's left", 'codex'])
    expect(hasOpenQuote(command), command).toBe(false);
});
