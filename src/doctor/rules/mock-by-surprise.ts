import type { Config } from '../../config/config.ts';
import type { Provenance } from '../../config/resolve/provenance.ts';
import { type Check, fail, ok } from '../check.ts';

/** The mock agent is for trying things out; on the issues of other people it must be meant. */
export function mockBySurprise({ tracker, agent }: Config, provenance: Provenance): Check {
  return {
    id: 'mock-by-surprise',
    title: 'Choice of agent',
    needs: 'config',
    async run() {
      if (agent.default !== 'mock') return ok(`${agent.default}`);
      if (tracker.kind === 'local') return ok('the mock agent, on a folder of issues');
      if (provenance.get('agent.default')?.source === 'workflow') return ok('the mock agent, as written');
      return fail(
        `agent.default is not set, so the mock agent would work on the issues of ${tracker.kind}: it writes notes, not code`,
        'Write agent.default: codex-app-server, claude or acp; or agent.default: mock when that is meant.',
        'agent.default',
      );
    },
  };
}
