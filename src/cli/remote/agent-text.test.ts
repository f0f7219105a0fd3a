import { expect, it } from 'vitest';
import { richState } from '../../../test/integration/server/state-fixture.ts';
import { agentText } from './agent-text.ts';
import { formatStatus } from './format-status.ts';

it('names the agent, its profile and what chose it', () => {
  expect(agentText({})).toBeNull();
  expect(agentText({ agent_provider: 'mock' })).toBe('mock');
  expect(agentText({ agent_provider: 'claude', agent_profile: 'c', agent_reason: 'state\n\u001b[1mX' })).toBe(
    'claude: profile c (state \u{FFFD}[1mX)',
  );
});

it('is a column of the status only where an agent is not just the default', () => {
  const state = richState(Date.parse('2026-07-01T09:30:00.000Z'));
  const [first, ...others] = state.running;
  if (first === undefined) throw new Error('nothing runs in the sample');
  expect(formatStatus(state)).not.toContain('profile');
  const routed = {
    ...first,
    agent_provider: 'claude',
    agent_profile: 'big',
    agent_reason: 'label agent:big',
  };
  const [row, next] = formatStatus({ ...state, running: [routed, ...others] })
    .split('\nRUNNING\n')[1]
    ?.split('\n') ?? [''];
  expect(row).toContain('tokens  claude: profile big (label agent:big)  ');
  expect(next).toMatch(/tokens {2}mock /);
});
