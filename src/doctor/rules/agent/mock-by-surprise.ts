import type { Config } from '../../../config/config.ts';
import type { Provenance } from '../../../config/resolve/provenance.ts';
import { fail, ok } from '../../../domain/verdict.ts';
import { AGENT_KINDS, agentKind } from '../../../runners/registry.ts';
import type { Check } from '../../check.ts';

/** The mock agent is for trying things out; on the issues of other people it must be meant. */
export function mockBySurprise({ tracker, agent }: Config, provenance: Provenance): Check {
  return {
    id: 'mock-by-surprise',
    title: 'Choice of agent',
    needs: 'config',
    async run() {
      if (agentKind(agent.kind).builtIn !== true) return ok(agent.kind);
      if (tracker.isFolder) return ok('the mock agent, on a folder of issues');
      if (provenance.get('agent.default')?.source === 'workflow') return ok('the mock agent, as written');
      return fail(
        `agent.default is not set, so the mock agent would work on the issues of ${tracker.kind}: it writes notes, not code`,
        `Write agent.default: ${others()}; or agent.default: ${agent.kind} when that is meant.`,
        'agent.default',
      );
    },
  };
}

/** The agents that do the work. */
function others(): string {
  const names = AGENT_KINDS.filter(({ builtIn }) => builtIn !== true).map(({ kind }) => kind);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
