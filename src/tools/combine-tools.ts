import { toolFailure } from '../domain/tool.ts';
import type { RunTools } from './run-tools.ts';

/** All tools of a run as one set. A name is offered once: the set that comes first has it. */
export function combineTools(sets: readonly RunTools[]): RunTools {
  const owners = new Map<string, RunTools>();
  for (const set of sets) {
    for (const { name } of set.specs) if (!owners.has(name)) owners.set(name, set);
  }
  return {
    specs: sets.flatMap((set) => set.specs.filter(({ name }) => owners.get(name) === set)),
    secretEnvironmentNames: [...new Set(sets.flatMap((set) => set.secretEnvironmentNames))],
    async execute(call, context) {
      const owner = owners.get(call.name);
      if (owner !== undefined) return owner.execute(call, context);
      const known = [...owners.keys()].join(', ');
      return toolFailure(
        'unsupported_tool',
        `There is no tool ${JSON.stringify(call.name)}. Tools: ${known}.`,
      );
    },
  };
}
