import { expect, test } from 'vitest';
import { codexProgram } from './command.ts';

test('R-10.1-a what only a shell understands goes to bash, without its login files', () => {
  expect(codexProgram('exec codex app-server | cat')).toEqual({
    command: 'bash',
    args: ['-c', 'exec codex app-server | cat'],
  });
  expect(codexProgram('codex app-server')).toEqual({ command: 'codex', args: ['app-server'] });
});

test('codex exec is refused at launch too', () => {
  expect(() => codexProgram('codex exec --json')).toThrow(/codex exec/);
});
