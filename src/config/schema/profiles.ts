import { z } from 'zod';
import type { Kinds, ResolvedAgent } from '../kinds.ts';
import { timeoutKey } from './agent-keys.ts';
import { blockOfAgent, ownBlocks } from './agent-sections.ts';
import { elsewhere, filledTexts, optional, positive, withDefault } from './key.ts';
import { showBlock } from './settings.ts';
import { shapeOf } from './shape.ts';

/** The keys of an agent's block, none of them required and none with a default: what is not written stays as it is elsewhere. */
function overridesOf(section: string, shape: z.ZodRawShape) {
  const keys = Object.entries(shape).map(([name, schema]) => {
    const key =
      schema instanceof z.ZodDefault ? z.optional(schema.unwrap()).meta({ ...schema.meta() }) : schema;
    return [name, key];
  });
  return optional(z.object(Object.fromEntries(keys)), `Keys of \`${section}\` that differ in this profile.`, {
    defaultText: `as in \`${section}\``,
    sameAs: section,
  });
}

function profileKeys(kinds: Kinds) {
  const names = kinds.agents.map(({ kind }) => kind);
  return {
    runner: optional(z.enum(names), 'Which agent runs the issues of this profile.', {
      defaultText: 'the agent that NAME names (`codex` means `codex-app-server`), else `agent.default`',
      show: (_, { agent }) => (agent as ResolvedAgent).kind,
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
    timeout: timeoutKey('Cap on a whole run, as a duration such as `45m`.', '`agent.timeout`'),
    max_concurrent_agents: optional(positive, 'Most runs of this profile at the same time.', {
      applies: 'next poll',
      defaultText: 'no limit of its own',
    }),
  };
}

export function profilesKey(kinds: Kinds) {
  const own = profileKeys(kinds);
  const overrides = Object.fromEntries(
    [...ownBlocks(kinds)].map(([section, block]) => [section, overridesOf(section, shapeOf(block) ?? {})]),
  );
  const profile: z.ZodObject<typeof own> = z.object({ ...own, ...overrides });
  return elsewhere(
    withDefault(
      z.record(z.string(), profile),
      {},
      'Other agents, models and limits for some issues, by name. The first profile that one of the labels of an issue chooses ' +
        'runs it, else the first that its state chooses, else `agent.default`. See [profiles](profiles.md).',
      { show: (profiles) => showProfiles(kinds, z.object(own), profiles) },
    ),
  );
}

export type WrittenProfile = z.output<z.ZodObject<ReturnType<typeof profileKeys>>>;

interface Shown {
  readonly name: string;
  readonly agent: ResolvedAgent;
}

/** With every setting that holds in a profile, wherever that is written. */
function showProfiles(kinds: Kinds, own: z.ZodType, profiles: unknown): unknown {
  return Object.fromEntries(
    (profiles as readonly Shown[]).map((profile) => {
      const { section, block } = blockOfAgent(kinds, profile.agent.kind);
      return [
        profile.name,
        { ...showBlock(own, profile), [section]: showBlock(block, profile.agent.options) },
      ];
    }),
  );
}
