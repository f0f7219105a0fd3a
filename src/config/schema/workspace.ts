import { z } from 'zod';
import { block, filledText, filledTexts, flag, notNegative, optional, positive, withDefault } from './key.ts';

export const workspaceBlock = block(
  {
    root: optional(
      filledText,
      'Directory that holds one workspace per issue. Relative to the workflow file; `~` and `$VAR` allowed.',
      {
        defaultText: '`<state>/aiops/<name>-<hash>/workspaces`',
        environment: '`AIOPS_WORKSPACE_ROOT`: used when the key is absent',
      },
    ),
    mirror_root: optional(
      filledText,
      'Directory of the bare clones that workspaces borrow objects from. Relative to the workflow file; `~` and `$VAR` allowed.',
      {
        defaultText: '`<state>/aiops/<name>-<hash>/mirrors`',
        environment: '`AIOPS_MIRROR_ROOT`: used when the key is absent',
      },
    ),
    clone_depth: optional(positive, 'Commits of history to fetch.', { defaultText: 'all of it' }),
    partial_clone: withDefault(flag, false, 'Fetch file contents only when a checkout needs them.'),
    min_free_mb: withDefault(
      notNegative,
      512,
      'No run starts with less free space than this at the root; 0 turns the check off.',
      { applies: 'next poll' },
    ),
  },
  'Where agents work.',
);

const hook = z.union([filledText, filledTexts, z.object({ commands: filledTexts })]);
const NONE = { defaultText: 'none' } as const;

export const hooksBlock = block(
  {
    after_create: optional(
      hook,
      'Runs once in a new workspace; a failure discards the workspace and fails the run. ' +
        'Each hook is a shell script, a list of them, or a map with `commands`.',
      NONE,
    ),
    before_run: optional(hook, 'Runs before each run; a failure fails the run.', NONE),
    after_run: optional(hook, 'Runs after each run, however it ended; a failure is logged.', NONE),
    before_remove: optional(hook, 'Runs before a workspace is removed; a failure is logged.', NONE),
    timeout_ms: withDefault(positive, 60_000, 'Longest time one hook command may take.'),
    sandbox: withDefault(
      z.boolean(),
      false,
      'Run hooks inside the sandbox that `sandbox` describes, like the agent. It must be enabled.',
    ),
    env_passthrough: withDefault(
      filledTexts,
      [],
      'Environment variables hooks get besides the basic ones and those that a hook names as `$NAME`. Credentials of the worker are left out.',
    ),
  },
  'Scripts around the life of a workspace. They are trusted, and run outside any sandbox unless `hooks.sandbox` is set: ' +
    'what they run in the workspace, an agent may have written.',
);
