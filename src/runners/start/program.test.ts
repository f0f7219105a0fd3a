import { describe, expect, test } from 'vitest';
import { programOf } from './program.ts';

describe('a plain command is started without a shell', () => {
  test.each([
    ['codex app-server', ['codex', 'app-server']],
    ['  /opt/codex  app-server ', ['/opt/codex', 'app-server']],
    ['codex -c "model=a b" app-server', ['codex', '-c', 'model=a b', 'app-server']],
    ["codex -c 'x=$HOME|y' app-server", ['codex', '-c', 'x=$HOME|y', 'app-server']],
    ['codex --config model="o3" app-server', ['codex', '--config', 'model=o3', 'app-server']],
    [`codex -c "it's" 'a"b'`, ['codex', '-c', "it's", 'a"b']],
    ["codex ''", ['codex', '']],
  ])('%j', (command, [program, ...args]) => {
    expect(programOf(command, ['more'])).toEqual({ command: program, args: [...args, 'more'] });
  });
});

describe('what only a shell understands goes to bash as it is written', () => {
  test.each([
    'codex -c "x=$HOME" app-server',
    'A=1 codex app-server',
    'cd /tmp && codex app-server',
    'codex app-server 2>err',
    '~/bin/codex app-server',
    'codex a\\ b',
    'codex a#b',
    `codex "it's" | tee 'x'`,
    '"" x',
    "codex | tee # what's left to bash",
    '   ',
  ])('%j', (command) => {
    expect(programOf(command)).toEqual({ command: 'bash', args: ['-c', command] });
    expect(programOf(command, ['a', 'b'])).toEqual({
      command: 'bash',
      args: ['-c', `${command} "$@"`, 'agent', 'a', 'b'],
    });
  });
});

test.each(["codex 'unfinished", 'codex "unfinished'])('%j is refused with what to do', (command) => {
  expect(() => programOf(command)).toThrow(
    expect.objectContaining({ code: 'agent_failed', hint: expect.stringContaining('Close the quote') }),
  );
});
