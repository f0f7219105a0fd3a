import type { AgentSetup } from '../agent-setup.ts';

export const claudeSetups: readonly AgentSetup[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    install: 'npm install -g @anthropic-ai/claude-code',
    signIn: 'claude auth login',
    variables: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_MODEL',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
      'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    ],
  },
];
