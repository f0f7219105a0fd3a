import { block, filledText, filledTexts, withDefault } from './key.ts';

export const claudeBlock = block(
  {
    command: withDefault(
      filledText,
      'claude',
      'Shell command that starts Claude, run in the workspace. `$VAR` allowed as the whole value.',
    ),
    env_passthrough: withDefault(
      filledTexts,
      [],
      'Environment variables the agent gets besides the basic ones. Tracker credentials are refused.',
    ),
  },
  'The Claude command line.',
);
