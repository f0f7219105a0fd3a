import { describe, expect, test } from 'vitest';
import { plainWords, programOf } from './command.ts';

describe('plainWords', () => {
  test.each([
    ['codex app-server', ['codex', 'app-server']],
    ['  /opt/codex  app-server ', ['/opt/codex', 'app-server']],
    ['codex -c "model=a b" app-server', ['codex', '-c', 'model=a b', 'app-server']],
    ["codex -c 'x=$HOME' app-server", ['codex', '-c', 'x=$HOME', 'app-server']],
    ['codex --config model="o3" app-server', null],
    ['codex -c "x=$HOME" app-server', null],
    ['A=1 codex app-server', null],
    ['cd /tmp && codex app-server', null],
    ['codex app-server 2>err', null],
    ['~/bin/codex app-server', null],
    ["codex 'unfinished", null],
    ['"" x', null],
    ['   ', null],
    ['codex a#b', null],
  ])('%j', (command, words) => {
    expect(plainWords(command)).toEqual(words);
  });
});

test('R-10.1-a what only a shell understands goes to bash, without its login files', () => {
  expect(programOf('exec codex app-server | cat')).toEqual({
    command: 'bash',
    args: ['-c', 'exec codex app-server | cat'],
  });
});

test('codex exec is refused at launch too', () => {
  expect(() => programOf('codex exec --json')).toThrow(/codex exec/);
});
