import type { ClaudeConfig } from '../../config/config.ts';
import { BEYOND_THE_TURN, NO_BACKGROUND, type SessionChoice, writtenOptions } from './command.ts';
import type { SdkOptions } from './sdk.ts';

/** What the SDK is told. An option that the command sets itself is left to it. */
export function sdkOptions(
  claude: ClaudeConfig,
  session: SessionChoice,
  place: Pick<SdkOptions, 'cwd' | 'env'>,
): SdkOptions {
  const written = writtenOptions(claude.command);
  const unless = <T extends object>(names: readonly string[], options: T): T | Record<string, never> =>
    names.some((name) => written.has(name)) ? {} : options;
  const { model, maxTurns, maxBudgetUsd, permissionMode, allowedTools, disallowedTools } = claude;
  return {
    ...place,
    // The SDK would otherwise leave out what makes Claude Code a coding agent.
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    includePartialMessages: true,
    ...unless(['--settings'], { settings: NO_BACKGROUND }),
    ...unless(['--model'], model === null ? {} : { model }),
    ...unless(['--max-turns'], maxTurns === null ? {} : { maxTurns }),
    ...unless(['--max-budget-usd'], maxBudgetUsd === null ? {} : { maxBudgetUsd }),
    ...unless(['--disallowedTools', '--disallowed-tools'], {
      disallowedTools: [...disallowedTools, ...BEYOND_THE_TURN],
    }),
    ...('resume' in session ? { resume: session.resume } : { sessionId: session.create }),
    // Given by name, the SDK prints a warning for each of these that keeps questions from being asked: that is their use.
    extraArgs: {
      ...unless(
        ['--allowedTools', '--allowed-tools'],
        allowedTools.length === 0 ? {} : { allowedTools: allowedTools.join(',') },
      ),
      ...unless(['--permission-mode', '--dangerously-skip-permissions'], {
        'permission-mode': permissionMode,
      }),
    },
  };
}
