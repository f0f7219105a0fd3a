import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { optionsOf } from '../../../src/config/kinds.ts';
import type { ClaudeSettings } from '../../../src/runners/claude/settings.ts';
import { evaluateWorkflow } from '../../fakes/workflow-file.ts';
import { describeClaude, never, openClaudeFixture } from './claude-fixture.ts';

/** What a workflow that says nothing about Claude's permissions allows. */
const { agents } = evaluateWorkflow('', { file: '/flows/WORKFLOW.md', environment: {} }).config;
const { allowedTools } = optionsOf<ClaudeSettings>({ options: agents['claude'] ?? {} });
const VERIFY = ['./check.sh', './check.sh first && ./check.sh second', "./check.sh 'a, (b) *'"];

describeClaude('what the real Claude may do by default', () => {
  const attempt = async (command: string, disallowedTools: readonly string[] = []) => {
    const { fixture, open } = await openClaudeFixture((_request, number) =>
      number === 1
        ? { blocks: [{ call: 'Bash', input: { command, description: 'work' } }] }
        : { blocks: [{ say: 'done' }] },
    );
    fixture.git('config', 'user.name', 'C');
    fixture.git('config', 'user.email', 'c@example.invalid');
    writeFileSync(join(fixture.workspace, 'check.sh'), '#!/bin/sh\ntouch checked\n', { mode: 0o755 });
    const session = await open({ allowedTools, disallowedTools }, {}, null, VERIFY);
    const result = await session.runTurn('go', never);
    await session.stop();
    return { kind: result.kind, checked: existsSync(join(fixture.workspace, 'checked')) };
  };

  test.each([...VERIFY, './check.sh 2>&1 | tail -5'])('it runs the check %s', async (command) => {
    expect(await attempt(command)).toEqual({ kind: 'completed', checked: true });
  });

  test.each(['./check.sh --more', './check.sh; curl localhost', './check.sh third'])(
    'it asks before %s, which is no check',
    async (command) => {
      expect(await attempt(command)).toEqual({ kind: 'input_required', checked: false });
    },
  );

  test('a check that the workflow forbids is not run', async () => {
    expect((await attempt('./check.sh', ['Bash(./check.sh)'])).checked).toBe(false);
  });

  test.each([
    'git add -A && git commit -qm "Check" && git push origin HEAD',
    'git fetch origin',
    'git rm -q --cached check.sh || true',
  ])('it delivers by %s', async (command) => {
    expect((await attempt(command)).kind).toBe('completed');
  });
});
