import { z } from 'zod';
import { acpBlock } from './acp.ts';
import { AGENT_KINDS } from './agent-kinds.ts';
import { claudeBlock } from './claude.ts';
import { codexBlock } from './codex.ts';
import { filledTexts, optional, positive, text, withDefault } from './key.ts';

type WithoutDefault<S> = S extends z.ZodDefault<infer Inner> ? z.ZodOptional<Inner> : S;
type WithoutDefaults<S extends z.ZodRawShape> = { [Name in keyof S]: WithoutDefault<S[Name]> };

/** The keys of a block, none of them required and none with a default: what is not written stays as it is elsewhere. */
function overridesOf<S extends z.ZodRawShape>(
  name: string,
  shape: S,
): z.ZodOptional<z.ZodObject<WithoutDefaults<S>>> {
  const keys: WithoutDefaults<S> = Object.assign(
    {},
    ...Object.entries(shape).map(([key, schema]) => ({
      [key]: schema instanceof z.ZodDefault ? z.optional(schema.unwrap()).meta({ ...schema.meta() }) : schema,
    })),
  );
  return optional(z.object(keys), `Keys of \`${name}\` that differ in this profile.`, {
    defaultText: `as in \`${name}\``,
    sameAs: name,
  });
}

const { linear_graphql: _, ...codexShape } = codexBlock.unwrap().shape;

const profile = z.object({
  runner: optional(z.enum(AGENT_KINDS), 'Which agent runs the issues of this profile.', {
    defaultText: 'the agent that NAME names (`codex` means `codex-app-server`), else `agent.default`',
  }),
  labels: optional(
    filledTexts,
    'Labels that choose this profile, any one of them; they compare without case. An empty list: none does.',
    { defaultText: '`agent:NAME`' },
  ),
  states: withDefault(
    filledTexts,
    [],
    'States that choose this profile when no label chooses one; names compare without case, and `_` stands for a space.',
  ),
  max_turns: optional(positive, 'Turns of one run.', { defaultText: '`agent.max_turns`' }),
  timeout: optional(text, 'Cap on a whole run, as a duration such as `45m`.', {
    defaultText: '`agent.timeout`',
  }),
  max_concurrent_agents: optional(positive, 'Most runs of this profile at the same time.', {
    applies: 'next poll',
    defaultText: 'no limit of its own',
  }),
  codex: overridesOf('codex', codexShape),
  claude: overridesOf('claude', claudeBlock.unwrap().shape),
  acp: overridesOf('acp', acpBlock.unwrap().shape),
});

export const profilesKey = withDefault(
  z.record(z.string(), profile),
  {},
  'Other agents, models and limits for some issues, by name. The first profile that one of the labels of an issue chooses ' +
    'runs it, else the first that its state chooses, else `agent.default`. See [profiles](profiles.md).',
);

export type WrittenProfile = z.output<typeof profile>;
