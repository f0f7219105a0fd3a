import { z } from 'zod';
import { block, filledText, filledTexts, optional, positive, wholeNumber, withDefault } from './key.ts';

export const acpBlock = block(
  {
    command: optional(
      filledText,
      'Shell command that starts an agent of the Agent Client Protocol, such as `gemini --acp`, run in the workspace. ' +
        '`$VAR` allowed as the whole value.',
      { defaultText: 'none; needed with `agent.default: acp`' },
    ),
    env_passthrough: withDefault(
      filledTexts,
      [],
      'Environment variables the agent gets besides the basic ones. Credentials of the worker are refused.',
    ),
    permissions: withDefault(
      z.enum(['ask', 'allow']),
      'ask',
      'What happens when the agent asks for a permission: `ask` blocks the issue with the question, `allow` grants all. ' +
        "The worker's own tools are always granted.",
    ),
    state_folders: withDefault(
      filledTexts,
      [],
      'Folders the agent keeps its own state in, such as `~/.gemini`; inside a `sandbox` it can write to these and to the ' +
        'workspace. `~` and `$VAR` allowed.',
    ),
    turn_timeout_ms: withDefault(positive, 3_600_000, 'Longest silence of the agent within a turn.'),
    stall_timeout_ms: withDefault(
      wholeNumber,
      300_000,
      'A run without any event for this long is stopped and retried; 0 or less turns this off.',
      { applies: 'next poll' },
    ),
  },
  'Any agent that speaks the Agent Client Protocol.',
);
