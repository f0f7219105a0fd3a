import type { Config } from '../../../config/config.ts';
import type { ResolvedAgent } from '../../../config/kinds.ts';

/** An agent that a run of the workflow can have. */
export interface ReachableAgent extends ResolvedAgent {
  /** Unique among them; part of the id of its check. */
  readonly id: string;
  /** The settings of a run with it. */
  readonly config: Config;
}

/** The default agent and those of all profiles; two that start the same program are one. */
export function reachableAgents(config: Config): readonly ReachableAgent[] {
  const { profiles, ...byDefault } = config.agent;
  const choices = [
    { name: null, agent: byDefault },
    ...profiles.map(({ name, agent }) => ({ name, agent: { ...byDefault, ...agent } })),
  ];
  const found: ReachableAgent[] = [];
  for (const { name, agent } of choices) {
    const { kind, command } = agent;
    if (found.some((other) => other.kind === kind && other.command === command)) continue;
    const taken = found.some((other) => other.kind === kind);
    const id = taken ? `${kind}-${name}` : kind;
    found.push({ ...agent, id, config: { ...config, agent: { ...agent, profiles } } });
  }
  return found;
}
