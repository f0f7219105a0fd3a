import { z } from 'zod';

export const BEHAVIOURS = [
  'succeed',
  'turns',
  'fail',
  'hang',
  'crash',
  'flood',
  'ask',
  'never_finish',
  'ignore_sigterm',
  'grandchild',
  'garbage',
  'unknown_tool',
  'quota',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

/** Signals a crash may die of; all end a process that does not handle them. */
const CRASH_SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGABRT'] as const;

/** Behaviours that misbehave once per issue unless told otherwise: a recovery is what they are there to show. */
const ONCE: ReadonlySet<Behaviour> = new Set(['fail', 'ask']);

/** The keys of a `mock` block, as a person writes them. */
export const writtenScriptSchema = z.strictObject({
  behaviour: z.enum(BEHAVIOURS).default('succeed').describe('What the agent does.'),
  turns: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('Turns of work, one commit each, before the hand-off. 1, or 3 for `turns`.'),
  times: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe(
      'Runs of this issue that misbehave before one succeeds; 0 is every run. 1 for `fail` and `ask`, else 0.',
    ),
  when: z
    .enum(['start', 'turn', 'after_commit'])
    .default('turn')
    .describe(
      '`hang`, `crash`: before the session opens, as the turn begins, or after the commit and before the push.',
    ),
  signal: z
    .enum(CRASH_SIGNALS)
    .nullable()
    .default(null)
    .describe('`crash`: die of this signal instead of exiting.'),
  exit_code: z.int().min(0).max(255).default(1).describe('`crash`: the exit code when no signal is given.'),
  megabytes: z.number().min(0).max(1024).default(20).describe('`flood`: how much is printed.'),
  line_kb: z.int().min(1).max(65_536).default(64).describe('`flood`: the size of each line.'),
  question: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .default('Which option should I take?')
    .describe('`ask`: what is asked.'),
  commits: z.boolean().default(false).describe('`never_finish`: whether each turn makes a commit.'),
  reset_in_s: z
    .number()
    .min(0)
    .max(31_536_000)
    .nullable()
    .default(null)
    .describe(
      '`quota`: seconds until the quota is back, after which runs succeed; without it no time is named.',
    ),
  state: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .default('Human Review')
    .describe('The state the issue is handed off to.'),
  push: z
    .enum(['git', 'tool'])
    .default('git')
    .describe('Whether the branch is pushed by a plain `git push`, or with the tool `branch_push`.'),
  forgets_push: z
    .enum(['no', 'until_told', 'always'])
    .default('no')
    .describe('Whether the issue is handed off without a push: until the agent is told of it, or for good.'),
  pull_request: z
    .boolean()
    .default(false)
    .describe('Whether a pull request is opened and linked before the hand-off, on Gitea and GitHub.'),
  step_ms: z.int().min(0).max(600_000).default(50).describe('Pause between two steps of a turn.'),
  tokens_per_turn: z.int().min(0).max(1_000_000_000).default(1500).describe('Tokens each turn reports.'),
});

/** The block with every default filled in; what the agent is sent. */
export type MockScript = Omit<z.output<typeof writtenScriptSchema>, 'turns' | 'times'> & {
  readonly turns: number;
  readonly times: number;
};

export function fillScript(written: z.output<typeof writtenScriptSchema>): MockScript {
  return {
    ...written,
    turns: written.turns ?? (written.behaviour === 'turns' ? 3 : 1),
    times: written.times ?? (ONCE.has(written.behaviour) ? 1 : 0),
  };
}
