import type { Effects } from '../effects.ts';
import type { ReachableAgent } from '../reachable-agents.ts';

export type CodexFiles = Pick<Effects, 'codexSettings' | 'agentEnvironment'>;

/** What opens the network, as the workflow has it. */
export const OPEN_NETWORK = 'codex.turn_sandbox_policy: {type: workspaceWrite, networkAccess: true}';

/** Whether commands of Codex reach a network: its own sandbox has none unless somebody opened it. */
export async function codexHasNetwork(
  agent: ReachableAgent,
  { codexSettings, agentEnvironment }: CodexFiles,
): Promise<boolean> {
  const { sandbox, codex } = agent.config;
  // A sandbox of the workflow takes the place of Codex's own.
  if (sandbox.enabled) return sandbox.network !== 'none';
  const { threadSandbox, turnSandboxPolicy } = codex;
  if (turnSandboxPolicy !== null) {
    const { type, networkAccess } = turnSandboxPolicy;
    return type === 'dangerFullAccess' || networkAccess === true || networkAccess === 'enabled';
  }
  if (threadSandbox === 'danger-full-access') return true;
  return (await codexSettings(await agentEnvironment(agent))).network;
}
