export const AGENT_KINDS = ['mock', 'codex-app-server', 'claude', 'acp'] as const;

export type AgentKind = (typeof AGENT_KINDS)[number];

export type BlockName = 'codex' | 'claude' | 'acp';

/** The block each agent reads its settings from; the mock agent takes its times from Codex. */
export const BLOCK_OF: Readonly<Record<AgentKind, BlockName>> = {
  mock: 'codex',
  'codex-app-server': 'codex',
  claude: 'claude',
  acp: 'acp',
};
