import type { WaitingRow } from '../../contract/claim-rows.ts';
import { oneLine } from '../history/text.ts';

export type AgentFields = Pick<WaitingRow, 'agent_provider' | 'agent_profile' | 'agent_reason'>;

/** `claude: profile careful (state Rework)`; null when the agent is not known. */
export function agentText(row: AgentFields): string | null {
  const { agent_provider: provider, agent_profile: profile, agent_reason: reason } = row;
  if (provider === undefined) return null;
  const under = profile === undefined ? '' : `: profile ${profile}`;
  return oneLine(`${provider}${under}${reason === undefined ? '' : ` (${reason})`}`, 160);
}

/** True where the agent is not just the default. */
export function unusualAgent(row: AgentFields): boolean {
  return row.agent_profile !== undefined || row.agent_reason !== undefined;
}
