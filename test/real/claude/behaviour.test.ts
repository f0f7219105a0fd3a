import { describe, expect, test } from 'vitest';
import type { ClaudeConfig } from '../../../src/config/config.ts';
import { claudeBehaviours } from '../../contracts/runner-claude-behaviours.ts';
import { arrangeFakeClaude } from '../../contracts/runner-claude-fixture.ts';
import { fakeClaudeSettings } from '../../fakes/claude/settings.ts';
import { sdkFolder } from './claude-fixture.ts';

const SDK: Partial<ClaudeConfig> = { driver: 'sdk', sdkFolders: [`${sdkFolder}`] };

/** The real SDK, against a program that speaks as Claude does. */
describe.runIf(sdkFolder !== null)('driven by the SDK', () => {
  claudeBehaviours(SDK);

  describe('the settings', () => {
    const claude = arrangeFakeClaude(SDK);
    const argumentsOf = async (settings: Partial<ClaudeConfig>): Promise<string[]> => {
      await claude.run(await claude.open('shows_arguments', settings));
      return JSON.parse(claude.said()[0] ?? '[]');
    };

    test('are passed on', async () => {
      const line = await argumentsOf({
        model: 'opus',
        maxTurns: 7,
        maxBudgetUsd: 1.5,
        allowedTools: ['Bash(npm test:*)', 'Edit'],
        disallowedTools: ['WebFetch'],
      });
      expect(line).toEqual(
        expect.arrayContaining(['--model=opus', '--max-turns=7', '--max-budget-usd=1.5', 'acceptEdits']),
      );
      expect(line).toContain('Bash(npm test:*),Edit');
      expect(line.join(' ')).toMatch(/--disallowedTools=WebFetch,\S*ScheduleWakeup/);
      expect(line.join(' ')).toMatch(/--session-id=[0-9a-f-]{36}/);
    });

    test('are left to a command that sets them itself', async () => {
      const { command } = fakeClaudeSettings('shows_arguments');
      const line = await argumentsOf({
        command: `${command} --model mine --permission-mode=plan`,
        model: 'opus',
      });
      expect(line).toEqual(expect.arrayContaining(['--model', 'mine', '--permission-mode=plan']));
      expect(line.join(' ')).not.toMatch(/opus|acceptEdits/);
    });

    test('may name a command that needs a shell', async () => {
      const { command } = fakeClaudeSettings('shows_arguments');
      const line = await argumentsOf({ command: `FOO="$HOME" ${command}` });
      expect(line.join(' ')).toContain('--session-id=');
    });

    test('may keep questions from being asked without a warning of the SDK', async () => {
      const warnings: Error[] = [];
      const onWarning = (warning: Error): void => void warnings.push(warning);
      process.on('warning', onWarning);
      await argumentsOf({ allowedTools: ['Bash'], permissionMode: 'bypassPermissions' });
      process.off('warning', onWarning);
      expect(warnings).toEqual([]);
    });

    test('that name no program fail the start and say how to get one', async () => {
      await expect(claude.open('', { command: 'FOO=1 no-such-claude' })).rejects.toMatchObject({
        code: 'agent_not_found',
        hint: expect.stringContaining('claude.command'),
      });
      await expect(claude.open('', { command: '/no/such/claude' })).rejects.toMatchObject({
        code: 'agent_not_found',
      });
    });
  });
});
