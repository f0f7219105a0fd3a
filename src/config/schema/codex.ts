import { z } from 'zod';
import {
  block,
  filledText,
  filledTexts,
  flag,
  optional,
  positive,
  text,
  wholeNumber,
  withDefault,
} from './key.ts';

/** Nothing an agent asks for is granted by a prompt nobody answers. */
export const DEFAULT_APPROVAL_POLICY = {
  granular: {
    sandbox_approval: false,
    rules: false,
    skill_approval: false,
    request_permissions: false,
    mcp_elicitations: false,
  },
};

const anyMap = z.record(z.string(), z.unknown());

export const codexBlock = block(
  {
    command: withDefault(
      filledText,
      'codex app-server',
      'Shell command that starts the app-server, run in the workspace. `$VAR` allowed as the whole value.',
    ),
    env_passthrough: withDefault(
      filledTexts,
      [],
      'Environment variables the agent gets besides the basic ones and those that `command` names as `$NAME`. Credentials of the worker are refused.',
    ),
    approval_policy: withDefault(
      z.union([text, anyMap]),
      DEFAULT_APPROVAL_POLICY,
      "Codex's approval policy, passed through: a name or a map.",
    ),
    thread_sandbox: withDefault(
      text,
      'workspace-write',
      "Codex's sandbox mode, passed through: `read-only`, `workspace-write` or `danger-full-access`.",
    ),
    turn_sandbox_policy: optional(
      anyMap,
      "Codex's sandbox policy for each turn. In the Go dialect its fields are checked by type: " +
        '`dangerFullAccess`, `readOnly`, `externalSandbox` or `workspaceWrite`.',
      { defaultText: 'derived from `codex.thread_sandbox` and the workspace' },
    ),
    turn_timeout_ms: withDefault(positive, 3_600_000, 'Longest silence of the agent within a turn.'),
    read_timeout_ms: withDefault(positive, 5_000, 'Longest wait for an answer to a request at start-up.'),
    stall_timeout_ms: withDefault(
      wholeNumber,
      300_000,
      'A run without any event for this long is stopped and retried; 0 or less turns this off.',
      { applies: 'next poll' },
    ),
    prices: withDefault(
      anyMap,
      {},
      'US dollars per million tokens by model, for the estimate of costs: `input`, `cached_input` (default: as `input`) ' +
        'and `output`. A model without a price has no estimate.',
    ),
    linear_graphql: block(
      {
        allow_mutations: optional(
          flag,
          'Let the Linear tool change the issue of its run, not only read it.',
          { defaultText: '`false`; `true` in the Symphony dialect' },
        ),
        allowed_mutations: withDefault(
          filledTexts,
          [],
          'The only mutations allowed; empty means all that can be bound to the issue of the run. Needs `allow_mutations`.',
        ),
      },
      'What the `linear_graphql` tool may do.',
    ),
  },
  'The Codex app-server.',
);
