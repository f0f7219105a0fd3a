import { z } from 'zod';
import type { AgentKind } from '../../config/kinds.ts';
import { readCommand, stallTimeout, turnTimeout } from '../../config/schema/agent-keys.ts';
import {
  type BlockSettings,
  block,
  filledText,
  filledTexts,
  optional,
  withDefault,
} from '../../config/schema/key.ts';
import { passedVariables } from '../../config/schema/passed-variables.ts';
import { readPaths } from '../../config/schema/sandbox.ts';

const acpBlock = block(
  {
    command: optional(
      filledText,
      'Shell command that starts an agent of the Agent Client Protocol, such as `gemini --acp`, run in the workspace. ' +
        '`$VAR` allowed as the whole value.',
      {
        defaultText: 'none; needed with `agent.default: acp`',
        read: (written, place) => (written === undefined ? '' : readCommand(written, place)),
      },
    ),
    env_passthrough: passedVariables(
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
      { read: readPaths },
    ),
    turn_timeout_ms: turnTimeout,
    stall_timeout_ms: stallTimeout,
  },
  'Any agent that speaks the Agent Client Protocol.',
);

export type AcpSettings = BlockSettings<typeof acpBlock>;

export const acpAgent: AgentKind = {
  kind: 'acp',
  section: 'acp',
  block: acpBlock,
  environment: [],
  removedKeys: {},
  checkChosen(at, chooser, { command }) {
    if (command === '')
      at.problem(
        chooser,
        `${chooser} is acp but acp.command is missing`,
        'Write acp.command, such as `gemini --acp`.',
      );
  },
};
