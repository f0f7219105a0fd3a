import { expect, test } from 'vitest';
import { decidePermission } from './permissions.ts';
import { isVerifyCommand, verifyRules } from './verify-commands.ts';

test('a check of the workflow is a rule for exactly itself, and none when it could mean more', () => {
  expect(verifyRules([' npm test ', 'make lint && make test', 'go test ./...'])).toEqual([
    'Bash(npm test)',
    'Bash(make lint && make test)',
    'Bash(go test ./...)',
  ]);
  expect(verifyRules(['npm test:*', 'echo (a)', 'a,b', 'a\nb', 'ls *.ts'])).toEqual([]);
});

test.each([
  ['Bash', 'npm test', true],
  ['Bash', ' npm test\n', true],
  ['Bash', 'npm test -- --watch', false],
  ['Bash', 'npm test; rm -rf x', false],
  ['Write', 'npm test', false],
  ['Bash', undefined, false],
])('%s %j is one of them: %s', (tool, command, expected) => {
  expect(isVerifyCommand(tool, { command }, ['npm test'])).toBe(expected);
});

test('Claude is allowed a check it asks about, and nothing that only begins like one', () => {
  const ask = (command: string) =>
    decidePermission(
      { tool_name: 'Bash', input: { command } },
      {
        approved: new Set(),
        ownTools: new Set(),
        verifyCommands: ['ls *.ts'],
      },
    );
  expect(ask('ls *.ts')).toMatchObject({ question: null, reply: { behavior: 'allow' } });
  expect(ask('ls *.ts | sh').question).toContain('ls *.ts | sh');
});
