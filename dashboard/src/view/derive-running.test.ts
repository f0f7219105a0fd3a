import { expect, it } from 'vitest';
import { richState } from '../../../test/integration/server/state-fixture.ts';
import { deriveRunning } from './derive-running.ts';

const NOW = Date.parse('2026-07-01T09:30:00.000Z');
const state = richState(NOW);

function factsWith(fields: {
  readonly agent_profile?: string;
  readonly agent_reason?: string;
}): readonly string[] {
  const row = state.running[0];
  if (row === undefined) throw new Error('nothing runs in the sample');
  const shown = { ...row, agent_provider: 'claude', agent_model: 'opus', ...fields };
  return deriveRunning({ ...state, running: [shown] }, NOW)[0]?.facts ?? [];
}

it('shows the profile of an agent, and what chose it', () => {
  expect(factsWith({})[1]).not.toContain('profile');
  expect(factsWith({ agent_profile: 'big', agent_reason: 'label agent:big' }).slice(0, 2)).toEqual([
    'claude · opus',
    'profile big (label agent:big)',
  ]);
  expect(factsWith({ agent_profile: 'big' })[1]).toBe('profile big');
  expect(factsWith({ agent_reason: 'label agent:gpt chooses no profile' })[1]).toBe(
    'label agent:gpt chooses no profile',
  );
});
