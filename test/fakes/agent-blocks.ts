/** The settings of the agents' own blocks without any key in them. */
export const AGENT_BLOCKS = {
  codex: {
    command: 'codex app-server',
    envPassthrough: [],
    approvalPolicy: {
      granular: {
        sandbox_approval: false,
        rules: false,
        skill_approval: false,
        request_permissions: false,
        mcp_elicitations: false,
      },
    },
    threadSandbox: 'workspace-write',
    turnSandboxPolicy: null,
    turnTimeoutMs: 3_600_000,
    readTimeoutMs: 5_000,
    stallTimeoutMs: 300_000,
    prices: {},
    linearGraphql: { allowMutations: false, allowedMutations: [] },
  },
  claude: {
    command: 'claude',
    sdkFolders: ['/flows'],
    envPassthrough: [],
    model: null,
    permissionMode: 'acceptEdits',
    allowedTools: ['add', 'rm', 'mv', 'commit', 'fetch', 'rebase', 'push'].map(
      (verb) => `Bash(git ${verb}:*)`,
    ),
    disallowedTools: [],
    maxTurns: null,
    maxBudgetUsd: null,
    turnTimeoutMs: 3_600_000,
    stallTimeoutMs: 300_000,
  },
  acp: {
    command: '',
    envPassthrough: [],
    permissions: 'ask',
    stateFolders: [],
    turnTimeoutMs: 3_600_000,
    stallTimeoutMs: 300_000,
  },
};
