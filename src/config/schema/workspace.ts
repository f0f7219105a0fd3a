import { z } from 'zod';
import { defaultMirrorRoot, defaultRoot, stateFolderOf } from '../roots/state-folder.ts';
import {
  block,
  filledText,
  filledTexts,
  flag,
  notNegative,
  optional,
  type Place,
  positive,
  withDefault,
} from './key.ts';
import { variablesForHooks } from './passed-variables.ts';

const ROOT_VARIABLE = 'AIOPS_WORKSPACE_ROOT';
const MIRROR_VARIABLE = 'AIOPS_MIRROR_ROOT';

export const workspaceBlock = block(
  {
    root: optional(
      filledText,
      'Directory that holds one workspace per issue. Relative to the workflow file; `~` and `$VAR` allowed.',
      {
        defaultText: '`<state>/aiops/<name>-<hash>/workspaces`',
        environment: `\`${ROOT_VARIABLE}\`: used when the key is absent`,
        read: (written, place) => readRoot(written, place, ROOT_VARIABLE, defaultRoot),
      },
    ),
    mirror_root: optional(
      filledText,
      'Directory of the bare clones that workspaces borrow objects from. Relative to the workflow file; `~` and `$VAR` allowed.',
      {
        defaultText: '`<state>/aiops/<name>-<hash>/mirrors`',
        environment: `\`${MIRROR_VARIABLE}\`: used when the key is absent`,
        read: (written, place) => readRoot(written, place, MIRROR_VARIABLE, defaultMirrorRoot),
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

/** The file wins over the variable, which wins over the default. */
function readRoot(
  written: string | undefined,
  { at, key }: Place,
  variable: string,
  defaultIn: (stateFolder: string) => string,
): string {
  const usual = () => defaultIn(stateFolderOf(at.file, at.environment));
  if (written !== undefined) return at.expandPath(key, written) ?? usual();
  const value = at.variable(variable);
  if (value === null) return at.absolute(usual());
  at.from(key, 'env', variable);
  return at.absolute(value);
}

const hook = z.union([filledText, filledTexts, z.object({ commands: filledTexts })]);
const COMMANDS = { defaultText: 'none', read: readCommands } as const;

/** Commands in order; the first failure stops the list. */
function readCommands(written: z.output<typeof hook> | undefined): readonly string[] {
  if (written === undefined) return [];
  if (typeof written === 'string') return [written];
  return 'commands' in written ? written.commands : written;
}

export const hooksBlock = block(
  {
    after_create: optional(
      hook,
      'Runs once in a new workspace; a failure discards the workspace and fails the run. ' +
        'Each hook is a shell script, a list of them, or a map with `commands`.',
      COMMANDS,
    ),
    before_run: optional(hook, 'Runs before each run; a failure fails the run.', COMMANDS),
    after_run: optional(hook, 'Runs after each run, however it ended; a failure is logged.', COMMANDS),
    before_remove: optional(hook, 'Runs before a workspace is removed; a failure is logged.', COMMANDS),
    timeout_ms: withDefault(positive, 60_000, 'Longest time one hook command may take.'),
    sandbox: withDefault(
      z.boolean(),
      false,
      'Run hooks inside the sandbox that `sandbox` describes, like the agent. It must be enabled.',
      { read: readHookSandbox },
    ),
    env_passthrough: variablesForHooks(
      'Environment variables hooks get besides the basic ones and those that a hook names as `$NAME`. Credentials of the worker are left out.',
    ),
  },
  'Scripts around the life of a workspace. They are trusted, and run outside any sandbox unless `hooks.sandbox` is set: ' +
    'what they run in the workspace, an agent may have written.',
);

function readHookSandbox(written: boolean, { at, key }: Place): boolean {
  if (written && !at.written.sandbox.enabled)
    at.problem(
      key,
      `${key} is true, but there is no sandbox: sandbox.enabled is false`,
      'Set sandbox.enabled: true, or take hooks.sandbox out.',
    );
  return written;
}
