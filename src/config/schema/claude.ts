import { z } from 'zod';
import {
  amount,
  block,
  filledText,
  filledTexts,
  optional,
  positive,
  wholeNumber,
  withDefault,
} from './key.ts';

export const CLAUDE_PERMISSION_MODES = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
] as const;

const CLAUDE_DRIVERS = ['auto', 'sdk', 'command'] as const;

/** Enough to deliver work; everything else that Claude does not allow by itself is asked. */
const DELIVERY_TOOLS = ['add', 'rm', 'mv', 'commit', 'fetch', 'rebase', 'push'].map(
  (verb) => `Bash(git ${verb}:*)`,
);

export const claudeBlock = block(
  {
    command: withDefault(
      filledText,
      'claude',
      'Shell command that starts Claude, run in the workspace; the options it needs are added. A command with `-p` and ' +
        'without `stream-json` is run once for each turn, as plain text. `$VAR` allowed as the whole value.',
    ),
    driver: withDefault(
      z.enum(CLAUDE_DRIVERS),
      'auto',
      'How Claude is driven: `sdk` through the Claude Agent SDK, which has to be installed; `command` by speaking to ' +
        '`claude.command` directly; `auto` through the SDK where it is installed.',
    ),
    env_passthrough: withDefault(
      filledTexts,
      [],
      'Environment variables the agent gets besides the basic ones. Credentials of the worker are refused.',
    ),
    model: optional(filledText, "Claude's model.", { defaultText: "Claude's own choice" }),
    permission_mode: withDefault(
      z.enum(CLAUDE_PERMISSION_MODES),
      'acceptEdits',
      'What Claude may do without asking. `bypassPermissions` is refused by Claude when the worker runs as root.',
    ),
    allowed_tools: withDefault(
      filledTexts,
      DELIVERY_TOOLS,
      "Tools that are never asked about, in Claude's notation, such as `Bash(npm run:*)`. The commands of " +
        '`verify.commands` are allowed besides, exactly as they are written there.',
    ),
    disallowed_tools: withDefault(filledTexts, [], "Tools that are always refused, in Claude's notation."),
    max_turns: optional(positive, 'Most requests to the model within one turn.', { defaultText: 'no limit' }),
    max_budget_usd: optional(
      amount,
      'Most US dollars Claude may spend in one run; then a person has to decide.',
      { defaultText: 'no limit' },
    ),
    turn_timeout_ms: withDefault(positive, 3_600_000, 'Longest silence of the agent within a turn.'),
    stall_timeout_ms: withDefault(
      wholeNumber,
      300_000,
      'A run without any event for this long is stopped and retried; 0 or less turns this off.',
      { applies: 'next poll' },
    ),
  },
  'The Claude command line.',
);
