import { expect, it } from 'vitest';
import { richState } from '../../test/integration/server/state-fixture.ts';
import { formatMetrics } from './metrics.ts';

const OWN = { eventLoopLagP50: 0, eventLoopLagP99: 0, residentBytes: 0, heapBytes: 0, streamClients: 0 };
const RUN_SECONDS = { bounds: [], counts: [], count: 0, sum: 0 };

it('counts live runs by agent and profile, the default agent under no profile', () => {
  const state = richState(0);
  const [row] = state.running;
  if (row === undefined) throw new Error('nothing runs in the sample');
  const claude = { ...row, agent_provider: 'claude', agent_profile: 'big' };
  const running = [{ ...row, agent_provider: 'mock' }, claude, claude];
  const text = formatMetrics(
    { snapshot: { ...state, running }, outcomes: new Map(), runSeconds: RUN_SECONDS },
    OWN,
  );
  expect(text.split('\n').filter((line) => line.startsWith('aiops_live_runs'))).toEqual([
    'aiops_live_runs{agent="mock",profile=""} 1',
    'aiops_live_runs{agent="claude",profile="big"} 2',
  ]);
});
