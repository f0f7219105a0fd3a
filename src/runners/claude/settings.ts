import { z } from 'zod';
import type { AgentKind } from '../../config/kinds.ts';
import { commandWithDefault, stallTimeout, turnTimeout } from '../../config/schema/agent-keys.ts';
import {
  amount,
  type BlockSettings,
  block,
  filledText,
  filledTexts,
  optional,
  positive,
  withDefault,
} from '../../config/schema/key.ts';
import { passedVariables } from '../../config/schema/passed-variables.ts';

const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

/** Enough to deliver work; everything else that Claude does not allow by itself is asked. */
const DELIVERY_TOOLS = ['add', 'rm', 'mv', 'commit', 'fetch', 'rebase', 'push'].map(
  (verb) => `Bash(git ${verb}:*)`,
);

const claudeBlock = block(
  {
    command: commandWithDefault(
      'claude',
      'Shell command that starts Claude, run in the workspace; the options it needs are added. A command with `-p` and ' +
        'without `stream-json` is run once for each turn, as plain text. `$VAR` allowed as the whole value.',
    ),
    env_passthrough: passedVariables(
      'Environment variables the agent gets besides the basic ones. Credentials of the worker are refused.',
    ),
    model: optional(filledText, "Claude's model.", { defaultText: "Claude's own choice" }),
    permission_mode: withDefault(
      z.enum(PERMISSION_MODES),
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
    turn_timeout_ms: turnTimeout,
    stall_timeout_ms: stallTimeout,
  },
  'The Claude command line.',
);

export type ClaudeSettings = BlockSettings<typeof claudeBlock> & {
  /** Where the Claude Agent SDK may be installed besides next to this package: the workflow's own folder. */
  readonly sdkFolders: readonly string[];
};

export const claudeAgent: AgentKind = {
  kind: 'claude',
  section: 'claude',
  block: claudeBlock,
  signsIn: true,
  environment: ['CLAUDE_CONFIG_DIR'],
  extraOptions: ({ directory }) => ({ sdkFolders: [directory] }),
  removedKeys: {
    'claude.profile': 'Put the options into `claude.command`.',
    'claude.driver':
      'Remove it: Claude is driven by `claude.command`, which both drivers ran; where no `claude` is installed, the program of an installed Claude Agent SDK is run.',
    'claude.linear_graphql': 'Use `codex.linear_graphql`; it governs the tool for every agent.',
  },
  idleKeys: [
    'claude.approval_policy',
    'claude.thread_sandbox',
    'claude.turn_sandbox_policy',
    'claude.read_timeout_ms',
  ],
};
