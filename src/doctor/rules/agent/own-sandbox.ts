import type { AgentInspection } from '../../../runners/inspection.ts';
import { inspectionOf } from '../../../runners/registry.ts';
import type { Effects } from '../../effects.ts';
import type { ReachableAgent } from './reachable-agents.ts';

export type AgentFiles = Pick<Effects, 'readText' | 'agentEnvironment'>;

/** The agent's own sandbox when that keeps its commands from the network, else null. */
export async function closedSandboxOf(
  agent: ReachableAgent,
  effects: AgentFiles,
): Promise<AgentInspection['ownSandbox']> {
  const { ownSandbox } = await inspectionOf(agent.kind);
  if (ownSandbox === null) return null;
  const { sandbox } = agent.config;
  // A sandbox of the workflow takes the place of the agent's own.
  const isOpen = sandbox.enabled
    ? sandbox.network !== 'none'
    : await ownSandbox.hasNetwork(agent, await effects.agentEnvironment(agent), effects);
  return isOpen ? null : ownSandbox;
}
